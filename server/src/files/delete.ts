import { setImmediate as nextTurn } from 'node:timers/promises';
import { storedName } from '@holdfast/contract/src/files.ts';
import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { forgetRemoved } from './forget-removed.ts';
import { removeFiles } from './remove-files.ts';

/**
 * Deletes those of `names` that are live files of the account, in one transaction, and returns their names. They
 * disappear from every response at once. Their bytes are deleted from storage later, when no other file shares them.
 */
export async function deleteFiles(
  context: Context,
  memory: BlobMemory,
  accountId: string,
  names: readonly string[],
): Promise<string[]> {
  // Callers can send any string, including ones that a database cannot compare with a name.
  const possible = [...new Set(names)].filter((name) => storedName.safeParse(name).success);
  if (possible.length === 0) return [];
  const deleted = await forgetRemoved(context, memory, async (tx, forgotten) => {
    const now = context.clock.now();
    // Every transaction locks the account's row first, so no two of them can deadlock.
    await tx.updateTable('accounts').set({ last_active_at: now }).where('id', '=', accountId).execute();
    await lockBlobs(tx, accountId, possible);
    const removed = new Set<string>();
    for (let from = 0; from < possible.length; from += batchSize) {
      const some = possible.slice(from, from + batchSize);
      const rows = await removeFiles(tx, { accountId, reason: 'owner', now }, (eb) => eb('name', 'in', some));
      for (const { name, blob_id } of rows) {
        removed.add(name);
        forgotten.add(blob_id);
      }
      await nextTurn();
    }
    return removed;
  });
  return possible.filter((name) => deleted.has(name));
}

/** Limits how long one batch keeps other writes waiting. */
const batchSize = 100;

/** Locks all blobs at once, in the order that every transaction uses. */
function lockBlobs(tx: Transaction, accountId: string, names: readonly string[]): Promise<void> {
  const used = tx
    .selectFrom('files')
    .select('blob_id')
    .where('account_id', '=', accountId)
    .where('name', 'in', names)
    .where('deleted_at', 'is', null);
  return lockRows(tx, tx.selectFrom('blobs').select('id').where('id', 'in', used).orderBy('id'));
}
