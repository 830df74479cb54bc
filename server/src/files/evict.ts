import { Failure } from '@holdfast/contract/src/errors.ts';
import { setImmediate } from 'node:timers/promises';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { goingFirst } from './going-first.ts';
import { removeFiles } from './remove-files.ts';

/** What a new file lacks. */
export interface Lack {
  readonly bytes: number;
  readonly slots: number;
}

export interface Eviction extends Lack {
  readonly accountId: string;
  /** Of the new file: its blob is taken next, and all blobs are taken in one order. */
  readonly sha256: string;
  readonly now: number;
}

interface Candidate {
  readonly id: string;
  readonly size: number;
}

/** So few at a time that other requests do not wait long for the event loop. */
const batchSize = 100;
const candidatesAtOnce = 1_000;

/**
 * Deletes the oldest files that are not favorites until there is what a new file lacks, and not one more: the last one
 * is needed. Answers their blobs. The transaction has to hold the account's row.
 * @throws {Failure} UPLOAD_NO_ROOM when all of them are not enough: then the transaction must not commit.
 */
export async function evict(tx: Transaction, eviction: Eviction): Promise<BlobId[]> {
  const { accountId, now } = eviction;
  const evicted: { readonly size: number; readonly blob_id: BlobId }[] = [];
  const lack = () => ({
    bytes: eviction.bytes - evicted.reduce((sum, { size }) => sum + size, 0),
    slots: eviction.slots - evicted.length,
  });
  // Mostly one round: on PostgreSQL a file may become a favorite between being chosen and being deleted.
  while (isLacking(lack())) {
    const chosen = await chooseOldest(tx, accountId, lack());
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
  return evicted.map((file) => file.blob_id);
}

const isLacking = ({ bytes, slots }: Lack) => bytes > 0 || slots > 0;

async function chooseOldest(tx: Transaction, accountId: string, { bytes, slots }: Lack): Promise<Candidate[]> {
  const chosen: Candidate[] = [];
  for (let left: Lack = { bytes, slots }; ;) {
    const candidates = await goingFirst(tx, accountId)
      .select(['id', 'size'])
      .where('id', '>', chosen.at(-1)?.id ?? '')
      .limit(candidatesAtOnce)
      .execute();
    for (const candidate of candidates) {
      chosen.push(candidate);
      left = { bytes: left.bytes - candidate.size, slots: left.slots - 1 };
      if (!isLacking(left)) return chosen;
    }
    if (candidates.length < candidatesAtOnce) throw new Failure('UPLOAD_NO_ROOM');
    await setImmediate();
  }
}

/** All at once, with the one that the new file may share, in the order in which every transaction takes them. */
function lockBlobs(tx: Transaction, { accountId, sha256 }: Eviction, lastId: string): Promise<void> {
  const used = goingFirst(tx, accountId).clearOrderBy().select('blob_id').where('id', '<=', lastId);
  return lockRows(
    tx,
    tx
      .selectFrom('blobs')
      .select('id')
      .where((eb) => eb.or([eb('id', 'in', used), eb('sha256', '=', sha256)]))
      .orderBy('id'),
  );
}
