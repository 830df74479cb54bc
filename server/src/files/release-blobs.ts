import { sql } from 'kysely';
import type { BlobId } from '../storage/blobs/blobs.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';

/** Decrements the use counts of blobs whose files were deleted, one id per file. An unused blob waits for the purge. */
export async function releaseBlobs(tx: Transaction, blobIds: readonly BlobId[], now: number): Promise<void> {
  if (blobIds.length === 0) return;
  const uses = Map.groupBy(blobIds, (id) => id);
  // Every transaction uses this order, so no two of them can deadlock.
  await lockRows(
    tx,
    tx
      .selectFrom('blobs')
      .select('id')
      .where('id', 'in', [...uses.keys()])
      .orderBy('id'),
  );
  const values = sql.join([...uses].map(([id, { length }]) => sql`(${id}, cast(${length} as bigint))`));
  await sql`
    UPDATE blobs SET
      used_by = used_by - freed.column2,
      unused_since = CASE WHEN used_by = freed.column2 THEN cast(${now} as bigint) ELSE NULL END
    FROM (VALUES ${values}) AS freed
    WHERE blobs.id = freed.column1`.execute(tx);
}
