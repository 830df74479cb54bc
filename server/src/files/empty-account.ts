import { setTimeout } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { removeFiles } from './remove-files.ts';

/** Limits how long one batch keeps other writes waiting. */
const atOnce = 100;

/**
 * Deletes the files of a closed account, one batch per transaction, and returns their count. It can be killed at any
 * moment: the next call continues. An open account keeps its files.
 */
export async function emptyAccount(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  for (let files = 0; ;) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const count = await context.db.transaction().execute((tx) => removeSome(tx, accountId, context.clock.now()));
    if (count === 0) return files;
    files += count;
    // Leaves half of the time to other writes.
    await setTimeout(performance.now() - startedAt);
  }
}

async function removeSome(tx: Transaction, accountId: string, now: number): Promise<number> {
  const closed = tx.selectFrom('accounts').select('id').where('id', '=', accountId).where('closed_at', 'is not', null);
  await lockRows(tx, closed);
  if (!(await closed.executeTakeFirst())) return 0;
  const some = tx.selectFrom('files').select('id').where('account_id', '=', accountId).where('deleted_at', 'is', null);
  const removed = await removeFiles(tx, { accountId, reason: 'account', now }, (eb) =>
    eb('id', 'in', some.limit(atOnce)),
  );
  return removed.length;
}
