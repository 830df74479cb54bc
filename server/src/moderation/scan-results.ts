import type { Context } from '../context.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { ScanState } from '../storage/db/schema.ts';

export async function noteVerdict(
  { db, clock }: Context,
  blobId: BlobId,
  verdict: Extract<ScanState, 'clean' | 'unscannable' | 'unscanned'>,
): Promise<void> {
  await db
    .updateTable('blobs')
    .set({ scan_state: verdict, scanned_at: verdict === 'unscanned' ? 0 : clock.now(), scan_tries: 0 })
    .where('id', '=', blobId)
    .where('held_for', 'is', null)
    .execute();
}

export async function servePending({ db }: Context, blobId: BlobId): Promise<number> {
  const owners = await db
    .selectFrom('files')
    .select('account_id')
    .distinct()
    .where('blob_id', '=', blobId)
    .where((eb) => eb('pending_scan', '=', eb.lit(1)))
    .where('deleted_at', 'is', null)
    .execute();
  let served = 0;
  for (const { account_id: accountId } of owners)
    served += await db.transaction().execute(async (tx) => {
      await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
      const { numUpdatedRows } = await tx
        .updateTable('files')
        .set({ pending_scan: 0 })
        .where('blob_id', '=', blobId)
        .where('account_id', '=', accountId)
        .where((eb) => eb('pending_scan', '=', eb.lit(1)))
        .where('deleted_at', 'is', null)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('blobs')
              .select('blobs.id')
              .where('blobs.id', '=', blobId)
              .where('blobs.held_for', 'is', null)
              .where('blobs.scan_state', '<>', 'pending'),
          ),
        )
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    });
  return served;
}
