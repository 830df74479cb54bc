import type { DeletionPreview, Evicted, PreviewedFile } from '@holdfast/contract/src/activity.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { planOf } from '../accounts/plan-of.ts';
import { releaseQuota } from '../accounts/quota.ts';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { readSnapshot } from '../storage/db/read-snapshot.ts';
import type { AccountRow, FileRow } from '../storage/db/schema.ts';
import { noteActivity } from './remove-files.ts';

export interface Shortfall {
  readonly bytes: number;
  readonly slots: number;
}

export interface Eviction extends Shortfall {
  readonly accountId: string;
  /** Of the new file. Its blob is locked next, and all blobs are locked in one order. */
  readonly sha256: string;
  /** Its original name. */
  readonly cause: string;
  readonly now: number;
}

/** For one upload, because its transaction keeps all other writes waiting. */
const mostEvicted = 5_000;
const candidatesAtOnce = 500;

/** Not above the quota, after a downgrade: eviction may only free what the new file needs. */
export function mayEvict(
  plan: Pick<Plan, 'spaceQuota' | 'slotsQuota'>,
  account: Pick<AccountRow, 'space_used' | 'slots_used' | 'continuous_uploading'>,
): boolean {
  if (account.continuous_uploading === 0) return false;
  return account.space_used <= plan.spaceQuota && account.slots_used <= plan.slotsQuota;
}

/**
 * The transaction must hold a lock on the account's row: uploads, deletions and changes of favorites lock it first, so
 * every statement here sees the same files.
 * @throws {Failure} UPLOAD_QUOTA_EXCEEDED when all files are not enough, or too many are needed.
 */
export async function evict(tx: Transaction, eviction: Eviction): Promise<Evicted> {
  const { accountId, now, cause } = eviction;
  const { chosen: evicted, refusal } = await chooseOldest(tx, eviction);
  if (refusal) throw refusal;
  const lastId = evicted.at(-1)?.id ?? '';
  await lockBlobs(tx, eviction, lastId);
  await releaseBlobsOf(tx, evictedUpTo(tx, accountId, lastId), now);
  await tx
    .updateTable('files')
    .set({ deleted_at: now, deleted_because: 'continuous_uploading' })
    .where('id', 'in', evictedUpTo(tx, accountId, lastId).select('files.id'))
    .execute();
  await noteActivity(tx, { accountId, event: 'continuous_uploading', cause, now }, evicted);
  await releaseQuota(tx, accountId, evicted);
  const names = evicted.slice(0, mostShown).map((file) => file.original_name);
  return { total: evicted.length, size: sizeOf(evicted), names };
}

type Candidate = Pick<FileRow, 'id' | 'name' | 'original_name' | 'size' | 'uploaded_at'>;

const sizeOf = (files: readonly Pick<FileRow, 'size'>[]) => files.reduce((sum, { size }) => sum + size, 0);

interface Choice {
  readonly chosen: readonly Candidate[];
  /** Why these are not enough. */
  readonly refusal?: Failure;
}

async function chooseOldest(
  tx: Transaction,
  { accountId, bytes, slots }: Pick<Eviction, 'accountId' | 'bytes' | 'slots'>,
): Promise<Choice> {
  const chosen: Candidate[] = [];
  let freed = 0;
  while (chosen.length < mostEvicted) {
    const candidates = await evictionOrder(tx, accountId)
      .select(['id', 'name', 'original_name', 'size', 'uploaded_at'])
      .where('id', '>', chosen.at(-1)?.id ?? '')
      .limit(candidatesAtOnce)
      .execute();
    for (const candidate of candidates) {
      chosen.push(candidate);
      freed += candidate.size;
      if (freed >= bytes && chosen.length >= slots) return { chosen };
    }
    if (candidates.length < candidatesAtOnce) return { chosen, refusal: new Failure('UPLOAD_QUOTA_EXCEEDED') };
  }
  return { chosen, refusal: new Failure('UPLOAD_QUOTA_EXCEEDED', tooManyToReplace) };
}

const tooManyToReplace =
  'Your account is full, and this file would replace more than 5,000 others. Delete some files first.';

/** All at once, including the one that the new file may share. PostgreSQL would read all blobs for an OR. */
function lockBlobs(tx: Transaction, { accountId, sha256 }: Eviction, lastId: string): Promise<void> {
  const shared = tx.selectFrom('blobs').select('blobs.id').where('sha256', '=', sha256);
  const used = evictedUpTo(tx, accountId, lastId).select('files.blob_id as id').union(shared);
  return lockRows(tx, tx.selectFrom('blobs').select('id').where('id', 'in', used).orderBy('id'));
}

type EvictedRows = ReturnType<typeof evictedUpTo>;

const evictedUpTo = (tx: Transaction, accountId: string, lastId: string) =>
  evictionOrder(tx, accountId).clearOrderBy().where('files.id', '<=', lastId);

async function releaseBlobsOf(tx: Transaction, evicted: EvictedRows, now: number): Promise<void> {
  const freed = evicted.select((eb) => ['blob_id', eb.fn.countAll<number>().as('files')]).groupBy('blob_id');
  await sql`
    UPDATE blobs SET
      used_by = used_by - freed.files,
      unused_since = CASE WHEN used_by = freed.files THEN cast(${now} as bigint) ELSE NULL END
    FROM (${freed}) AS freed
    WHERE blobs.id = freed.blob_id`.execute(tx);
}

/** Oldest first: the id of each upload is later than those of the account's other files. */
function evictionOrder(db: Pick<Transaction, 'selectFrom'>, accountId: string) {
  return db
    .selectFrom('files')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('is_favorite', '=', 0)
    .orderBy('files.id');
}

const mostShown = 10;

/** The files to be evicted first, and the number of all that may be. */
export function evictionPreview({ db }: Context, accountId: string): Promise<DeletionPreview> {
  return deletionPreviewOf(db, (tx) => evictionOrder(tx, accountId));
}

/** What uploads of this many bytes and files would evict: all that may be, if that is not enough. */
export function evictionFor(
  context: Pick<Context, 'db' | 'config'>,
  account: AccountRow,
  needed: { readonly bytes: number; readonly files: number },
): Promise<DeletionPreview> {
  const plan = planOf(context, account);
  const bytes = account.space_used + needed.bytes - plan.spaceQuota;
  const slots = account.slots_used + needed.files - plan.slotsQuota;
  if (!mayEvict(plan, account) || (bytes <= 0 && slots <= 0)) return Promise.resolve({ files: [], total: 0, size: 0 });
  return readSnapshot(context.db, async (tx) => {
    const { chosen } = await chooseOldest(tx, { accountId: account.id, bytes, slots });
    return { files: chosen.slice(0, mostShown).map(previewOf), total: chosen.length, size: sizeOf(chosen) };
  });
}

export function deletionPreviewOf(db: Database, select: (tx: Transaction) => FilesInOrder): Promise<DeletionPreview> {
  return readSnapshot(db, async (tx) => {
    const rows = await select(tx).select(['name', 'original_name', 'size', 'uploaded_at']).limit(mostShown).execute();
    const counted = await select(tx)
      .clearOrderBy()
      .select((eb) => [
        eb.fn.countAll<number>().as('total'),
        sql<number>`cast(coalesce(sum(size), 0) AS bigint)`.as('size'),
      ])
      .executeTakeFirstOrThrow();
    return { files: rows.map(previewOf), ...counted };
  });
}

const previewOf = ({ name, original_name, size, uploaded_at }: Omit<Candidate, 'id'>): PreviewedFile => ({
  name,
  original_name,
  size,
  time_added: timeText(uploaded_at),
});

type FilesInOrder = ReturnType<typeof evictionOrder>;
