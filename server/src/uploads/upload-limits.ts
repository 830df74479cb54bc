/**
 * Checks an upload against the plan and the free quota of its account, three times: by the size of the form before it is
 * read, by the type and the counted size while its bytes arrive, and in the transaction that reserves the quota. The last
 * check is final; the first two save the client and the disk from bytes that cannot be kept.
 */
import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { type Plan, plans } from '@holdfast/contract/src/plans.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Database, Transaction } from '../engines/database/database.ts';
import { prepared } from '../engines/database/prepared.ts';
import type { AccountRow, Schema } from '../engines/database/schema.ts';
import { evict, mayEvict } from '../files/evict.ts';
import { reserveQuota } from '../files/quota.ts';
import { findStoredUpload, type StoredUpload, type UploadKey } from './idempotency-key.ts';

type Usage = Pick<AccountRow, 'level' | 'space_used' | 'slots_used'>;
type Known = Usage & Pick<AccountRow, 'id' | 'continuous_uploading'>;

/** Known state of an upload's account, and the largest file that fits, in bytes; negative when no file fits. */
interface Limits {
  readonly account: Known;
  readonly freeBytes: number;
}

/**
 * Refuses a form that is certainly too large, before it is read. `formBytes` is its Content-Length, null if unknown.
 * @throws {Failure} UPLOAD_TOO_LARGE, UPLOAD_QUOTA_EXCEEDED, UPLOAD_KEY_REUSED.
 */
export function refuseDeclaredSize(
  context: Pick<Context, 'db' | 'clock'>,
  account: Known,
  key: UploadKey | null,
  formBytes: number | null,
): Promise<void> {
  return openEarlyRefusal(context, account, key).size(surelyFileBytes(formBytes));
}

/** Allowance for the boundaries, part headers and small fields around a file. */
const formOverheadBytes = 64 * 1024;

/** Returns the least number of file bytes in a form. A form is at least as large as its file. */
function surelyFileBytes(formBytes: number | null): number {
  return Math.max(0, (formBytes ?? 0) - formOverheadBytes);
}

export interface EarlyRefusal {
  /** @throws {Failure} UPLOAD_TYPE_REFUSED. */
  type(extension: string): Promise<void>;
  /** @throws {Failure} UPLOAD_TOO_LARGE, UPLOAD_QUOTA_EXCEEDED, UPLOAD_KEY_REUSED. */
  size(bytes: number): Promise<void>;
}

/**
 * Refuses an upload that cannot fit before it is fully read. For one that fits now, `reserveForUpload` still makes the final
 * decision. Before it refuses, it reads the account again: the plan or the free quota may be larger by now, and with
 * Continuous Uploading only favorites count against the quota. An earlier try of the same upload may also have reserved
 * the last quota in the meantime.
 */
export function openEarlyRefusal(
  context: Pick<Context, 'db' | 'clock'>,
  account: Known,
  key: UploadKey | null,
): EarlyRefusal {
  let limits: Limits = { account, freeBytes: freeBytesOf(account) };
  let stored: StoredUpload | undefined;
  const judge = async (refuse: (limits: Limits) => void) => {
    if (stored) return;
    try {
      refuse(limits);
    } catch {
      limits = await readLimits(context.db, account);
      try {
        refuse(limits);
      } catch (refusal) {
        stored = key === null ? undefined : await findStoredUpload(context, key);
        if (!stored) throw refusal;
      }
    }
  };
  return {
    type: (extension) => judge((known) => refuseType(plans[known.account.level], extension)),
    async size(bytes) {
      await judge(({ account: { level }, freeBytes }) => {
        refuseSize(plans[level], bytes);
        if (bytes > freeBytes) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
      });
      if (stored) refuseLonger(stored, bytes);
    },
  };
}

/**
 * Checks a repeated upload that an earlier try has stored. It needs no quota, and a longer file is a different file.
 */
export function openLengthRefusal(stored: StoredUpload): EarlyRefusal {
  return { async type() {}, size: async (bytes) => refuseLonger(stored, bytes) };
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
  const account = await tx
    .updateTable('accounts')
    .set({ last_active_at: now })
    .where('id', '=', caller.account.id)
    .where('closed_at', 'is', null)
    .where(stillLetIn(caller))
    .returningAll()
    .modifyEnd(prepared)
    .executeTakeFirst();
  if (account) return account;
  throw new Failure(caller.by === 'key' ? 'AUTH_INVALID_KEY' : 'AUTH_REQUIRED');
}

const stillLetIn =
  ({ account, sessionId }: Caller) =>
  (eb: ExpressionBuilder<Schema, 'accounts'>) =>
    sessionId === null
      ? eb('accounts.key_hash', '=', account.key_hash)
      : eb.exists(
          eb
            .selectFrom('sessions')
            .select('sessions.id')
            .where('sessions.id', '=', sessionId)
            .whereRef('sessions.account_id', '=', 'accounts.id'),
        );

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
  tx: Transaction,
  account: AccountRow,
  file: NewFile,
  now: number,
): Promise<BlobId[]> {
  const plan = plans[account.level];
  refuseType(plan, file.extension);
  refuseSize(plan, file.size);
  const evicted = await evictIfFull(tx, account, file, now);
  if (!(await reserveQuota(tx, account, file.size))) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
  return evicted;
}

async function evictIfFull(tx: Transaction, account: AccountRow, file: NewFile, now: number): Promise<BlobId[]> {
  if (file.size <= freeBytesOf(account)) return [];
  if (!mayEvict(account)) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
  const { spaceQuota, slotsQuota } = plans[account.level];
  const bytes = account.space_used + file.size - spaceQuota;
  const slots = account.slots_used + 1 - slotsQuota;
  return evict(tx, { accountId: account.id, sha256: file.sha256, bytes, slots, now });
}

function refuseType(plan: Plan, extension: string): void {
  const refusal = typeRefusal(plan, extension);
  if (refusal !== undefined) throw new Failure('UPLOAD_TYPE_REFUSED', refusal);
}

function refuseSize({ maxFileSize }: Plan, bytes: number): void {
  if (bytes > maxFileSize) throw new Failure('UPLOAD_TOO_LARGE');
}

function freeBytesOf({ level, space_used, slots_used }: Usage): number {
  const { spaceQuota, slotsQuota } = plans[level];
  return slots_used < slotsQuota ? spaceQuota - space_used : -1;
}

async function readLimits(db: Database, known: Known): Promise<Limits> {
  const account = (await db.selectFrom('accounts').selectAll().where('id', '=', known.id).executeTakeFirst()) ?? known;
  if (!mayEvict(account)) return { account, freeBytes: freeBytesOf(account) };
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
  return { account, freeBytes: freeBytesOf({ level: account.level, ...favorites }) };
}
