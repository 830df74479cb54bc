import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { BlobId, BlobStore } from '../../engines/blobs/blobs.ts';
import { lockRows } from '../../engines/database/lock-rows.ts';
import { removeFiles } from '../../files/remove-files.ts';
import { sizeIn } from './find-missing.ts';

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
        await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
        return removeFiles(tx, { accountId, reason: 'bytes_missing', now: clock.now() }, (eb) =>
          eb('blob_id', '=', id),
        );
      });
      dropped += removed.length;
    }
    await db
      .updateTable('blobs')
      .set({ held_for: null, held_at: null, unused_since: clock.now() })
      .where('id', '=', id)
      .where('used_by', '=', 0)
      .execute();
  }
  return dropped;
}

const filesPerPage = 500;

/**
 * Undoes `dropMissing` for those whose bytes `pool` has, as long as the purge has left their rows: files are live again and
 * count for their account, and what is blocked is held again. Answers how many files came back.
 */
export async function bringBackDropped({ db, clock }: Context, pool: BlobStore, signal: AbortSignal): Promise<number> {
  await holdBlocked(db, clock.now());
  let back = 0;
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const files = await db
      .selectFrom('files')
      .innerJoin('blobs', 'blobs.id', 'files.blob_id')
      .innerJoin('accounts', 'accounts.id', 'files.account_id')
      .select(['files.id', 'files.account_id', 'files.blob_id', 'files.size'])
      .where('files.deleted_because', '=', 'bytes_missing')
      .where('files.id', '>', after)
      .where('accounts.closed_at', 'is', null)
      // The purge has blanked the name of one that went a day ago.
      .where('files.original_name', '<>', '')
      .orderBy('files.id')
      .limit(filesPerPage)
      .execute();
    for (const file of files)
      if ((await sizeIn(pool, file.blob_id as BlobId)) === file.size) back += await bringBack(db, file);
    after = files.at(-1)?.id ?? '';
    if (files.length < filesPerPage) return back;
  }
}

interface Dropped {
  readonly id: string;
  readonly account_id: string;
  readonly blob_id: string;
  readonly size: number;
}

function bringBack(db: Context['db'], { id, account_id, blob_id, size }: Dropped): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable('accounts')
      .set((eb) => ({ space_used: eb('space_used', '+', size), slots_used: eb('slots_used', '+', 1) }))
      .where('id', '=', account_id)
      .execute();
    const blob = await tx
      .updateTable('blobs')
      .set((eb) => ({ used_by: eb('used_by', '+', 1), unused_since: null }))
      .where('id', '=', blob_id)
      .where('held_for', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const file = await tx
      .updateTable('files')
      .set({ deleted_at: null, deleted_because: null })
      .where('id', '=', id)
      .where('deleted_because', '=', 'bytes_missing')
      .returning('id')
      .executeTakeFirst();
    if (!blob || !file) throw new Error(`File ${id} changed while it was brought back. Run the restore again.`);
    return 1;
  });
}

/** Only dropping ends a hold without ending the block. */
async function holdBlocked(db: Context['db'], now: number): Promise<void> {
  await sql`
    UPDATE blobs SET held_at = cast(${now} as bigint),
      held_for = (SELECT reason FROM blocked_digests WHERE blocked_digests.sha256 = blobs.sha256)
    WHERE held_for IS NULL AND used_by = 0
      AND sha256 IN (SELECT sha256 FROM blocked_digests)`.execute(db);
}
