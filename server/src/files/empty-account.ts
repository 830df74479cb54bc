import { setTimeout } from 'node:timers/promises';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { removeFiles, type RemovedFile } from './remove-files.ts';

/** Limits how long one batch keeps other writes waiting. */
const atOnce = 100;

/**
 * Deletes the files of a closed account, one batch per transaction, and returns their count. It can be killed at any
 * moment: the next call continues. An open account keeps its files.
 */
export async function emptyAccount(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  memory: BlobMemory,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  for (let files = 0; ;) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const removed = await db.transaction().execute((tx) => removeSome(tx, accountId, clock.now()));
    if (removed.length === 0) return files;
    memory.forget(removed.map(({ blob_id }) => blob_id));
    files += removed.length;
    // Leaves half of the time to other writes.
    await setTimeout(performance.now() - startedAt);
  }
}

/** Does the same in one transaction, for a restore. */
export async function emptyRows(tx: Transaction, accountId: string, now: number): Promise<void> {
  while ((await removeSome(tx, accountId, now)).length > 0);
}

async function removeSome(tx: Transaction, accountId: string, now: number): Promise<RemovedFile[]> {
  const closed = tx.selectFrom('accounts').select('id').where('id', '=', accountId).where('closed_at', 'is not', null);
  await lockRows(tx, closed);
  if (!(await closed.executeTakeFirst())) return [];
  const some = tx.selectFrom('files').select('id').where('account_id', '=', accountId).where('deleted_at', 'is', null);
  return removeFiles(tx, { accountId, reason: 'account', now }, (eb) => eb('id', 'in', some.limit(atOnce)));
}
