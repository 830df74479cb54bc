/**
 * Checks an upload against the plan and the free quota of its account, three times: by the size of the form before it is
 * read, by the type and the counted size while its bytes arrive, and in the transaction that reserves the quota. The last
 * check is final; the first two save the client and the disk from bytes that cannot be kept.
 */
import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan, PlanLevel } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import type { Caller } from '../accounts/identify.ts';
import { type LimitsColumns, planOf } from '../accounts/plan-of.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Database, Transaction } from '../engines/database/database.ts';
import { prepared } from '../engines/database/prepared.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { type Bound, rowsOf, statement } from '../engines/database/statement.ts';
import { evict, mayEvict } from '../files/evict.ts';
import { reserveQuota } from '../files/quota.ts';
import { findStoredUpload, type StoredUpload, type UploadKey } from './idempotency-key.ts';

type Usage = LimitsColumns & Pick<AccountRow, 'space_used' | 'slots_used'>;
type Known = Usage & Pick<AccountRow, 'id' | 'continuous_uploading'>;

/** Known state of an upload's account, and the largest file that fits, in bytes; negative when no file fits. */
interface Limits {
  readonly account: Known;
  readonly freeBytes: number;
}

/**
 * Refuses a form that is certainly too large, before it is read. `formBytes` is its Content-Length, null if unknown.
 * @throws {Failure} UPLOAD_TOO_LARGE, UPLOAD_QUOTA_EXCEEDED, UPLOAD_KEY_REUSED, UPLOAD_STORAGE_FULL.
 */
export async function refuseDeclaredSize(
  context: LimitsContext,
  account: Known,
  key: UploadKey | null,
  formBytes: number | null,
): Promise<void> {
  const refusal = openEarlyRefusal(context, account, key);
  const bytes = surelyFileBytes(formBytes);
  await refusal.size(bytes);
  await refusal.room(bytes);
}

type LimitsContext = Pick<Context, 'db' | 'clock' | 'plans' | 'freeSpace'>;

/** Allowance for the boundaries, part headers and small fields around a file. */
const formOverheadBytes = 64 * 1024;

/** Returns the least number of file bytes in a form. A form is at least as large as its file. */
function surelyFileBytes(formBytes: number | null): number {
  return Math.max(0, (formBytes ?? 0) - formOverheadBytes);
}

export interface EarlyRefusal {
  /** @throws {Failure} UPLOAD_TYPE_REFUSED. */
  type(extension: string): Promise<void>;
  /**
   * Judges the number of bytes that have arrived.
   * @throws {Failure} UPLOAD_TOO_LARGE, UPLOAD_QUOTA_EXCEEDED, UPLOAD_KEY_REUSED, UPLOAD_STORAGE_FULL.
   */
  size(bytes: number): Promise<void>;
  /**
   * Judges the number of bytes that are still to be stored.
   * @throws {Failure} UPLOAD_STORAGE_FULL.
   */
  room(bytes: number): Promise<void>;
}

/** The space of the storage is looked at again after this many bytes of an upload, because others fill it too. */
const lookEvery = 16 * 1024 * 1024;

/**
 * Refuses an upload that cannot fit before it is fully read. For one that fits now, `reserveForUpload` still makes the final
 * decision. Before it refuses, it reads the account again: the plan or the free quota may be larger by now, and with
 * Continuous Uploading only favorites count against the quota. An earlier try of the same upload may also have reserved
 * the last quota in the meantime.
 */
export function openEarlyRefusal(context: LimitsContext, account: Known, key: UploadKey | null): EarlyRefusal {
  let limits: Limits = { account, freeBytes: freeBytesOf(planOf(context, account), account) };
  let stored: StoredUpload | undefined;
  let nextLook = lookEvery;
  const judge = async (refuse: (limits: Limits) => void) => {
    if (stored) return;
    try {
      refuse(limits);
    } catch {
      limits = await readLimits(context, account);
      try {
        refuse(limits);
      } catch (refusal) {
        stored = key === null ? undefined : await findStoredUpload(context, key);
        if (!stored) throw refusal;
      }
    }
  };
  const room = async (bytes: number) => {
    const free = await context.freeSpace.room();
    await judge(() => {
      if (bytes > free) throw new Failure('UPLOAD_STORAGE_FULL');
    });
  };
  return {
    type: (extension) => judge((known) => refuseType(planOf(context, known.account), extension)),
    async size(bytes) {
      await judge((known) => {
        refuseSize(planOf(context, known.account), bytes);
        if (bytes > known.freeBytes) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
      });
      if (stored) refuseLonger(stored, bytes);
      else if (bytes >= nextLook) {
        nextLook = bytes + lookEvery;
        await room(0);
      }
    },
    room,
  };
}

/**
 * Checks a repeated upload that an earlier try has stored. It needs no quota, and a longer file is a different file.
 */
export function openLengthRefusal(stored: StoredUpload): EarlyRefusal {
  return { async type() {}, size: async (bytes) => refuseLonger(stored, bytes), async room() {} };
}

function refuseLonger({ size }: StoredUpload, bytes: number): void {
  if (bytes > size) throw new Failure('UPLOAD_KEY_REUSED');
}

/**
 * Locks the account's row so that uploads commit one after the other, and sees a downgrade made in between. It checks
 * the uploader's credentials again: with a key changed or a session ended in the meantime, nothing is stored.
 * @throws {Failure} AUTH_INVALID_KEY, AUTH_REQUIRED.
 */
export async function holdAccount(tx: Transaction, caller: Caller, now: number): Promise<AccountRow> {
  const [account] = await rowsOf(tx, holds[caller.by](tx, { ...credentialsOf(caller), now }));
  if (account) return account;
  throw new Failure(caller.by === 'key' ? 'AUTH_INVALID_KEY' : 'AUTH_REQUIRED');
}

/**
 * Does what `holdAccount` and `reserveForUpload` do, in one statement, if the account still has the plan and
 * the limits that it had when its caller was identified, and enough free quota. Otherwise it finds no row.
 */
export function holdAndReserve(
  context: Pick<Context, 'plans'>,
  tx: Transaction,
  caller: Caller,
  size: number,
  now: number,
): Bound<AccountRow> {
  const { level, own_limits: ownLimits } = caller.account;
  const { spaceQuota, slotsQuota } = planOf(context, caller.account);
  const values = { ...credentialsOf(caller), now, level, ownLimits, size, spaceBefore: spaceQuota - size, slotsQuota };
  return reservations[caller.by](tx, values);
}

interface Credentials {
  readonly accountId: string;
  readonly keyHash: string;
  readonly sessionId: string;
}

const credentialsOf = ({ account, sessionId }: Caller): Credentials => ({
  accountId: account.id,
  keyHash: account.key_hash,
  sessionId: sessionId ?? '',
});

type Hold = Credentials & { readonly now: number };

interface Reservation extends Hold {
  readonly level: PlanLevel;
  readonly ownLimits: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes that may be in use before. */
  readonly spaceBefore: number;
  readonly slotsQuota: number;
}

const updateIfLetIn = (by: Caller['by'], db: Database, { accountId, keyHash, sessionId }: Credentials) =>
  db
    .updateTable('accounts')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .where((eb) =>
      by === 'key'
        ? eb('key_hash', '=', keyHash)
        : eb.exists(
            eb
              .selectFrom('sessions')
              .select('sessions.id')
              .where('sessions.id', '=', sessionId)
              .whereRef('sessions.account_id', '=', 'accounts.id'),
          ),
    )
    .returningAll()
    .modifyEnd(prepared);

const hold = (by: Caller['by']) =>
  statement((db, values: Hold) => updateIfLetIn(by, db, values).set({ last_active_at: values.now }));

const reservation = (by: Caller['by']) =>
  statement((db, values: Reservation) =>
    updateIfLetIn(by, db, values)
      .set((eb) => ({
        last_active_at: values.now,
        space_used: eb('space_used', '+', values.size),
        slots_used: eb('slots_used', '+', 1),
      }))
      .where('level', '=', values.level)
      .where('own_limits', '=', values.ownLimits)
      .where('space_used', '<=', values.spaceBefore)
      .where('slots_used', '<', values.slotsQuota),
  );

const holds = { key: hold('key'), session: hold('session') };
const reservations = { key: reservation('key'), session: reservation('session') };

/** Returns whether a file fits into the plan and the free quota of its account as they were known. */
export function seemsToFit(
  context: Pick<Context, 'plans'>,
  account: Usage,
  { extension, size }: Pick<NewFile, 'extension' | 'size'>,
): boolean {
  const plan = planOf(context, account);
  return typeRefusal(plan, extension) === undefined && size <= plan.maxFileSize && size <= freeBytesOf(plan, account);
}

interface NewFile {
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Reserves quota for one file under the current plan. If quota is missing and Continuous Uploading is on, it evicts the
 * oldest files and returns their blobs, which the memory cache must forget after the commit. The transaction must hold
 * a lock on the account's row.
 * @throws {Failure} an UPLOAD_… code.
 */
export async function reserveForUpload(
  context: Pick<Context, 'plans'>,
  tx: Transaction,
  account: AccountRow,
  file: NewFile,
  now: number,
): Promise<BlobId[]> {
  const plan = planOf(context, account);
  refuseType(plan, file.extension);
  refuseSize(plan, file.size);
  const evicted = await evictIfFull(tx, plan, account, file, now);
  if (!(await reserveQuota(tx, account.id, plan, file.size))) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
  return evicted;
}

async function evictIfFull(
  tx: Transaction,
  plan: Plan,
  account: AccountRow,
  file: NewFile,
  now: number,
): Promise<BlobId[]> {
  if (file.size <= freeBytesOf(plan, account)) return [];
  if (!mayEvict(plan, account)) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
  const bytes = account.space_used + file.size - plan.spaceQuota;
  const slots = account.slots_used + 1 - plan.slotsQuota;
  return evict(tx, { accountId: account.id, sha256: file.sha256, bytes, slots, now });
}

function refuseType(plan: Plan, extension: string): void {
  const refusal = typeRefusal(plan, extension);
  if (refusal !== undefined) throw new Failure('UPLOAD_TYPE_REFUSED', refusal);
}

function refuseSize({ maxFileSize }: Plan, bytes: number): void {
  if (bytes > maxFileSize) throw new Failure('UPLOAD_TOO_LARGE');
}

function freeBytesOf(
  { spaceQuota, slotsQuota }: Plan,
  { space_used, slots_used }: Pick<Usage, 'space_used' | 'slots_used'>,
): number {
  return slots_used < slotsQuota ? spaceQuota - space_used : -1;
}

async function readLimits(context: Pick<Context, 'db' | 'plans'>, known: Known): Promise<Limits> {
  const { db } = context;
  const account = (await db.selectFrom('accounts').selectAll().where('id', '=', known.id).executeTakeFirst()) ?? known;
  const plan = planOf(context, account);
  if (!mayEvict(plan, account)) return { account, freeBytes: freeBytesOf(plan, account) };
  const favorites = await db
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('slots_used'),
      sql<number>`cast(coalesce(sum(size), 0) AS bigint)`.as('space_used'),
    ])
    .where('account_id', '=', account.id)
    .where('is_favorite', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { account, freeBytes: freeBytesOf(plan, favorites) };
}
