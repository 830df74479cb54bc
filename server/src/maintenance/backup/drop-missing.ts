import type { Context } from '../../context.ts';
import type { BlobId } from '../../engines/blobs/blobs.ts';
import { removeFiles } from '../../files/remove-files.ts';

/**
 * Deletes the files whose bytes did not come back. After a restore these are the ones that were deleted, and purged,
 * between the backup and the copying of the blobs. What was held is held no more, because there is nothing left to give
 * back; its digest stays blocked. Answers how many files went.
 */
export async function dropMissing({ db, clock }: Context, missing: readonly BlobId[]): Promise<number> {
  let dropped = 0;
  for (const id of missing) {
    const owners = await db
      .selectFrom('files')
      .select('account_id')
      .distinct()
      .where('blob_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute();
    for (const { account_id: accountId } of owners) {
      const removed = await db.transaction().execute(async (tx) => {
        const now = clock.now();
        await tx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute();
        return removeFiles(tx, { accountId, reason: 'owner', now }, (eb) => eb('blob_id', '=', id));
      });
      dropped += removed.length;
    }
    await db.updateTable('blobs').set({ held_for: null, held_at: null }).where('id', '=', id).execute();
  }
  return dropped;
}
