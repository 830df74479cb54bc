import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../accounts/identify.ts';
import { lockCaller } from '../accounts/lock-caller.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { findFiles } from './find-files.ts';
import { removeFiles } from './remove-files.ts';

export async function deleteFiles(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  names: readonly string[],
): Promise<string[]> {
  return remove(context, caller.account.id, names, (tx, now) => lockCaller(tx, caller, now));
}

/** Returns whether it was there. */
export async function deleteForLink(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  name: string,
): Promise<boolean> {
  const deleted = await remove(context, accountId, [name], (tx) =>
    lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId)),
  );
  return deleted.length > 0;
}

async function remove(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  names: readonly string[],
  lock: (tx: Transaction, now: number) => Promise<void>,
): Promise<string[]> {
  const found = await findFiles(context, accountId, names);
  const ids = [...found.values()];
  if (ids.length === 0) return [];
  const deleted = await context.db.transaction().execute(async (tx) => {
    const now = context.clock.now();
    // Every transaction locks the account's row first.
    await lock(tx, now);
    await lockBlobs(tx, accountId, ids);
    const removed = await removeFiles(tx, { accountId, reason: 'owner', now }, (eb) => eb('id', 'in', ids));
    return new Set(removed.map(({ name }) => name));
  });
  return [...new Set(names)].filter((name) => deleted.has(name));
}

function lockBlobs(tx: Transaction, accountId: string, ids: readonly string[]): Promise<void> {
  const used = tx
    .selectFrom('files')
    .select('blob_id')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null);
  return lockRows(tx, tx.selectFrom('blobs').select('id').where('id', 'in', used).orderBy('id'));
}

/** Limits how long one batch keeps other writes waiting. */
const atOnce = 100;

/** Deletes the files of a closed account. It can be killed at any moment: the next call continues. */
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
