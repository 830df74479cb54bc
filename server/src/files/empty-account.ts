import { setTimeout } from 'node:timers/promises';
import type { Memory } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { removeFiles, type RemovedFile } from './remove-files.ts';

/** Few enough that other requests do not wait long for the event loop, nor uploads for the database. */
const atOnce = 100;

/**
 * Deletes the files of a closed account, a batch in each transaction, and answers how many. Killed at any moment, it does
 * the rest when it is called again. An account that is open keeps its files.
 */
export async function emptyAccount(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  memory: Memory,
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
    // Half of the time is left to others: a request needs several turns of the event loop.
    await setTimeout(performance.now() - startedAt);
  }
}

/** The same in one transaction, for a restore. */
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
