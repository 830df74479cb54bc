import { setTimeout } from 'node:timers/promises';
import type { BlobMemory } from '../storage/blobs/blob-memory.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { forgetRemoved } from './forget-removed.ts';
import { removeFiles, type RemovedFile } from './remove-files.ts';

/** Limits how long one batch keeps other writes waiting. */
const atOnce = 100;

/**
 * Deletes the files of a closed account, one batch per transaction, and returns their count. It can be killed at any
 * moment: the next call continues. An open account keeps its files.
 */
export async function emptyAccount(
  context: Pick<Context, 'db' | 'clock'>,
  memory: BlobMemory,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  for (let files = 0; ;) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const count = await forgetRemoved(context, memory, async (tx, forgotten) => {
      const removed = await removeSome(tx, accountId, context.clock.now());
      for (const { blob_id } of removed) forgotten.add(blob_id);
      return removed.length;
    });
    if (count === 0) return files;
    files += count;
    // Leaves half of the time to other writes.
    await setTimeout(performance.now() - startedAt);
  }
}

async function removeSome(tx: Transaction, accountId: string, now: number): Promise<RemovedFile[]> {
  const closed = tx.selectFrom('accounts').select('id').where('id', '=', accountId).where('closed_at', 'is not', null);
  await lockRows(tx, closed);
  if (!(await closed.executeTakeFirst())) return [];
  const some = tx.selectFrom('files').select('id').where('account_id', '=', accountId).where('deleted_at', 'is', null);
  return removeFiles(tx, { accountId, reason: 'account', now }, (eb) => eb('id', 'in', some.limit(atOnce)));
}
