import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { newRowId } from '../lib/row-id.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { RemovalReason, Schema } from '../storage/db/schema.ts';
import { releaseQuota } from './quota.ts';

export interface Removal {
  readonly accountId: string;
  readonly reason: RemovalReason;
  readonly now: number;
}

export interface RemovedFile {
  readonly name: string;
  readonly original_name: string;
  readonly size: number;
  readonly blob_id: BlobId;
}

/**
 * Removes the live files of an account that `which` selects, about 500 at a time. Their bytes wait for the purge. The
 * transaction must hold a lock on the account's row: every transaction locks it first, so no two can deadlock.
 */
export async function removeFiles(
  tx: Transaction,
  { accountId, reason, now }: Removal,
  which: (eb: ExpressionBuilder<Schema, 'files'>) => Expression<SqlBool>,
): Promise<RemovedFile[]> {
  const removed = await tx
    .updateTable('files')
    .set({ deleted_at: now, deleted_because: reason })
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(which)
    .returning(['name', 'original_name', 'size', 'blob_id'])
    .execute();
  if (removed.length === 0) return removed;
  await releaseBlobs(
    tx,
    removed.map((file) => file.blob_id),
    now,
  );
  await releaseQuota(tx, accountId, removed);
  if (reason !== 'owner' && reason !== 'account') await noteActivity(tx, { accountId, event: reason, now }, removed);
  return removed;
}

/** Takes one id for each file. */
async function releaseBlobs(tx: Transaction, blobIds: readonly BlobId[], now: number): Promise<void> {
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

interface Happening {
  readonly accountId: string;
  readonly event: ActivityEvent;
  readonly now: number;
}

export async function noteActivity(
  tx: Transaction,
  { accountId, event, now }: Happening,
  files: readonly Pick<RemovedFile, 'name' | 'original_name' | 'size'>[],
): Promise<void> {
  await tx
    .insertInto('activity')
    .values(
      files.map(({ name, original_name, size }) => ({
        id: newRowId(now),
        account_id: accountId,
        event,
        name,
        original_name,
        size,
        happened_at: now,
      })),
    )
    .execute();
}
