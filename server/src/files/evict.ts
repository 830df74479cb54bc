import type { DeletionPreview } from '@holdfast/contract/src/activity.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import { setImmediate } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { readSnapshot } from '../storage/db/read-snapshot.ts';
import type { AccountRow, FileRow } from '../storage/db/schema.ts';
import { removeFiles } from './remove-files.ts';

export interface Shortfall {
  readonly bytes: number;
  readonly slots: number;
}

export interface Eviction extends Shortfall {
  readonly accountId: string;
  /** Of the new file. Its blob is locked next, and all blobs are locked in one order. */
  readonly sha256: string;
  readonly now: number;
}

const batchSize = 100;
const candidatesAtOnce = 1_000;

/** Not above the quota, after a downgrade: eviction may only free what the new file needs. */
export function mayEvict(
  plan: Pick<Plan, 'spaceQuota' | 'slotsQuota'>,
  account: Pick<AccountRow, 'space_used' | 'slots_used' | 'continuous_uploading'>,
): boolean {
  if (account.continuous_uploading === 0) return false;
  return account.space_used <= plan.spaceQuota && account.slots_used <= plan.slotsQuota;
}

/**
 * The transaction must hold a lock on the account's row.
 * @throws {Failure} UPLOAD_QUOTA_EXCEEDED when all files are not enough: the transaction must then not commit.
 */
export async function evict(tx: Transaction, eviction: Eviction): Promise<void> {
  const { accountId, now } = eviction;
  const evicted: { readonly size: number }[] = [];
  const shortfall = () => ({
    bytes: eviction.bytes - evicted.reduce((sum, { size }) => sum + size, 0),
    slots: eviction.slots - evicted.length,
  });
  while (isShort(shortfall())) {
    const chosen = await chooseOldest(tx, accountId, shortfall());
    await lockBlobs(tx, eviction, chosen.at(-1)?.id ?? '');
    for (let from = 0; from < chosen.length; from += batchSize) {
      const ids = chosen.slice(from, from + batchSize).map(({ id }) => id);
      const removed = await removeFiles(tx, { accountId, reason: 'continuous_uploading', now }, (eb) =>
        eb.and([eb('id', 'in', ids), eb('is_favorite', '=', 0)]),
      );
      evicted.push(...removed);
      await setImmediate();
    }
  }
}

const isShort = ({ bytes, slots }: Shortfall) => bytes > 0 || slots > 0;

type Candidate = Pick<FileRow, 'id' | 'size'>;

async function chooseOldest(tx: Transaction, accountId: string, shortfall: Shortfall): Promise<Candidate[]> {
  const chosen: Candidate[] = [];
  for (let left = shortfall; ;) {
    const candidates = await evictionOrder(tx, accountId)
      .select(['id', 'size'])
      .where('id', '>', chosen.at(-1)?.id ?? '')
      .limit(candidatesAtOnce)
      .execute();
    for (const candidate of candidates) {
      chosen.push(candidate);
      left = { bytes: left.bytes - candidate.size, slots: left.slots - 1 };
      if (!isShort(left)) return chosen;
    }
    if (candidates.length < candidatesAtOnce) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
    await setImmediate();
  }
}

/** All at once, including the one that the new file may share. */
function lockBlobs(tx: Transaction, { accountId, sha256 }: Eviction, lastId: string): Promise<void> {
  const used = evictionOrder(tx, accountId).clearOrderBy().select('blob_id').where('id', '<=', lastId);
  return lockRows(
    tx,
    tx
      .selectFrom('blobs')
      .select('id')
      .where((eb) => eb.or([eb('id', 'in', used), eb('sha256', '=', sha256)]))
      .orderBy('id'),
  );
}

/** Oldest first: the id of each upload is later than those of the account's other files. */
function evictionOrder(db: Pick<Transaction, 'selectFrom'>, accountId: string) {
  return db
    .selectFrom('files')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('is_favorite', '=', 0)
    .orderBy('id');
}

const mostShown = 10;

/** The files to be evicted first, and the number of all that may be. */
export function evictionPreview({ db }: Context, accountId: string): Promise<DeletionPreview> {
  return deletionPreviewOf(db, (tx) => evictionOrder(tx, accountId));
}

export function deletionPreviewOf(db: Database, select: (tx: Transaction) => FilesInOrder): Promise<DeletionPreview> {
  return readSnapshot(db, async (tx) => {
    const rows = await select(tx).select(['name', 'original_name', 'size', 'uploaded_at']).limit(mostShown).execute();
    const { total } = await select(tx)
      .clearOrderBy()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { files: rows.map(({ uploaded_at, ...file }) => ({ ...file, time_added: timeText(uploaded_at) })), total };
  });
}

type FilesInOrder = ReturnType<typeof evictionOrder>;
