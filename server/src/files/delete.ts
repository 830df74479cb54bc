import { setImmediate as nextTurn } from 'node:timers/promises';
import { storedName } from '@holdfast/contract/src/files.ts';
import type { Context } from '../context.ts';
import type { BlobCache } from '../delivery/blob-cache.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { removeFiles } from './remove-files.ts';

/**
 * Deletes those of `names` that are the account's live files, all in one transaction, and answers which they were.
 * They are gone from every answer at once; their bytes leave storage later, when no other file shares them.
 */
export async function deleteFiles(
  { db, clock }: Context,
  cache: Pick<BlobCache, 'forget'>,
  accountId: string,
  names: readonly string[],
): Promise<string[]> {
  // Anything may be asked for, and a database need not be able to compare it with a name.
  const possible = [...new Set(names)].filter((name) => storedName.safeParse(name).success);
  if (possible.length === 0) return [];
  const deleted = await db.transaction().execute(async (tx) => {
    const now = clock.now();
    // Every transaction takes the account's row first, so two of them cannot wait for each other.
    await tx.updateTable('accounts').set({ last_active_at: now }).where('id', '=', accountId).execute();
    await lockBlobs(tx, accountId, possible);
    const removed = new Map<string, BlobId>();
    for (let from = 0; from < possible.length; from += batchSize) {
      const some = possible.slice(from, from + batchSize);
      const rows = await removeFiles(tx, { accountId, reason: 'owner', now }, (eb) => eb('name', 'in', some));
      for (const row of rows) removed.set(row.name, row.blob_id);
      await nextTurn();
    }
    return removed;
  });
  cache.forget(deleted.values());
  return possible.filter((name) => deleted.has(name));
}

/** So few at a time that other requests do not wait long for the event loop. */
const batchSize = 100;

/** All at once, in the order in which every transaction takes them. */
function lockBlobs(tx: Transaction, accountId: string, names: readonly string[]): Promise<void> {
  const used = tx
    .selectFrom('files')
    .select('blob_id')
    .where('account_id', '=', accountId)
    .where('name', 'in', names)
    .where('deleted_at', 'is', null);
  return lockRows(tx, tx.selectFrom('blobs').select('id').where('id', 'in', used).orderBy('id'));
}
