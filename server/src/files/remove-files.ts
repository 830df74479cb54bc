import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import type { ExpressionBuilder, SqlBool, Expression } from 'kysely';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { RemovalReason, Schema } from '../engines/database/schema.ts';
import { newRowId } from '../lib/row-id.ts';
import { releaseBlobs } from './release-blobs.ts';
import { giveRoomBack } from './space.ts';

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
 * Removes those live files of one account that `which` picks, 500 or so at a time: they are gone from every answer when
 * `tx` commits, their room is given back, their bytes wait for the purge, and what their owner did not ask for is in the
 * activity log. The transaction has to hold the account's row before: every one takes that row first, so that two cannot
 * wait for each other. After the commit the caller lets the memory cache forget the blobs.
 */
export async function removeFiles(
  tx: Transaction,
  { accountId, reason, now }: Removal,
  which: (eb: ExpressionBuilder<Schema, 'files'>) => Expression<SqlBool>,
): Promise<RemovedFile[]> {
  const removed = (await tx
    .updateTable('files')
    .set({ deleted_at: now, deleted_because: reason })
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(which)
    .returning(['name', 'original_name', 'size', 'blob_id'])
    .execute()) as RemovedFile[];
  if (removed.length === 0) return removed;
  await releaseBlobs(
    tx,
    removed.map((file) => file.blob_id),
    now,
  );
  await giveRoomBack(tx, accountId, removed);
  if (reason !== 'owner' && reason !== 'account' && reason !== 'bytes_missing')
    await noteActivity(tx, { accountId, event: reason, now }, removed);
  return removed;
}

interface Happening {
  readonly accountId: string;
  readonly event: ActivityEvent;
  readonly now: number;
}

/** Writes what happened to files into their owner's activity log. */
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
