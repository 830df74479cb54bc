import { releaseQuota } from '../../accounts/quota.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../storage/db/database.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import type { UploadRow } from '../../storage/db/schema.ts';

/** Without its file, if it has one: that is in the library. Returns whether it was there. */
export async function removeUpload(
  { db, blobs, log }: Pick<Context, 'db' | 'blobs' | 'log'>,
  { id, account_id: accountId }: Pick<UploadRow, 'id' | 'account_id'>,
): Promise<boolean> {
  const removed = await db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    return deleteRow(tx, id);
  });
  if (!removed) return false;
  const { blob_id: blobId, place, stored, file_name: fileName } = removed;
  if (fileName !== null) return true;
  try {
    if (removed.size > 0) await blobs.unfinished.discard({ id: blobId, place, size: stored });
    // All bytes may have arrived without getting a row.
    await blobs.remove(blobId);
  } catch (error) {
    log.warn({ err: error, blob: blobId }, 'bytes of a removed upload are left to the sweep');
  }
  return true;
}

export async function removeUploadsOf(
  context: Pick<Context, 'db' | 'blobs' | 'log'>,
  accountId: string,
): Promise<void> {
  const own = context.db.selectFrom('uploads').select(['id', 'account_id']).where('account_id', '=', accountId);
  for (const row of await own.execute()) await removeUpload(context, row);
}

async function deleteRow(tx: Transaction, id: string): Promise<UploadRow | undefined> {
  const removed = await tx.deleteFrom('uploads').where('id', '=', id).returningAll().executeTakeFirst();
  if (removed?.is_reserved === 1) await releaseQuota(tx, removed.account_id, [removed]);
  return removed;
}
