import { storedName } from '@holdfast/contract/src/files.ts';
import type { Context } from '../context.ts';
import type { BlobCache } from '../delivery/blob-cache.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import { giveRoomBack } from './space.ts';

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
    const rows = await tx
      .updateTable('files')
      .set({ deleted_at: now })
      .where('account_id', '=', accountId)
      .where('name', 'in', possible)
      .where('deleted_at', 'is', null)
      .returning(['name', 'size', 'blob_id'])
      .execute();
    await releaseBlobs(
      tx,
      rows.map((row) => row.blob_id),
      now,
    );
    await giveRoomBack(tx, accountId, rows);
    return new Map(rows.map((row) => [row.name, row.blob_id as BlobId]));
  });
  cache.forget(deleted.values());
  return possible.filter((name) => deleted.has(name));
}

/** In one order everywhere, for the same reason. */
async function releaseBlobs(tx: Transaction, blobIds: readonly string[], now: number): Promise<void> {
  const uses = Map.groupBy(blobIds, (id) => id);
  for (const [id, { length }] of [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    await tx
      .updateTable('blobs')
      .set((eb) => ({
        used_by: eb('used_by', '-', length),
        unused_since: eb.case().when('used_by', '=', length).then(now).else(null).end(),
      }))
      .where('id', '=', id)
      .execute();
  }
}
