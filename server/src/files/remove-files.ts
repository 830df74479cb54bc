import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { type Expression, type ExpressionBuilder, type Insertable, sql, type SqlBool } from 'kysely';
import { hours } from '../lib/clock.ts';
import { newRowId } from '../lib/row-id.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { FileRow, RemovalReason, Schema } from '../storage/db/schema.ts';
import { releaseQuota } from '../accounts/quota.ts';

export interface Removal {
  readonly accountId: string;
  readonly reason: RemovalReason;
  readonly now: number;
}

type RemovedFile = Pick<FileRow, 'name' | 'original_name' | 'size' | 'blob_id'>;

/**
 * About 500 at a time. The transaction must hold a lock on the account's row: every transaction locks it first, so no two
 * can deadlock.
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
  await countUses(tx, removed, -1, now);
  await releaseQuota(tx, accountId, removed);
  if (reason !== 'owner' && reason !== 'account') await noteActivity(tx, { accountId, event: reason, now }, removed);
  return removed;
}

/** Of the blobs whose files have been removed or restored. */
export async function countUses(
  tx: Transaction,
  files: readonly Pick<FileRow, 'blob_id'>[],
  change: 1 | -1,
  now: number,
): Promise<void> {
  const uses = Map.groupBy(files, ({ blob_id }) => blob_id);
  // In the order of every transaction.
  await lockRows(
    tx,
    tx
      .selectFrom('blobs')
      .select('id')
      .where('id', 'in', [...uses.keys()])
      .orderBy('id'),
  );
  const values = sql.join([...uses].map(([id, { length }]) => sql`(${id}, cast(${change * length} as bigint))`));
  await sql`
    UPDATE blobs SET
      used_by = used_by + changed.column2,
      unused_since = CASE WHEN used_by + changed.column2 = 0 THEN cast(${now} as bigint) ELSE NULL END
    FROM (VALUES ${values}) AS changed
    WHERE blobs.id = changed.column1`.execute(tx);
}

/** These rules can delete any number of files, so each adds at most one entry an hour. */
const counted: ReadonlySet<ActivityEvent> = new Set(['continuous_uploading', 'inactivity', 'dormancy']);

interface Noted extends Omit<Removal, 'reason'> {
  readonly event: ActivityEvent;
  readonly cause?: string;
}

/** The transaction must hold a lock on the account's row. */
export async function noteActivity(
  tx: Transaction,
  { accountId, event, cause = '', now }: Noted,
  files: readonly Omit<RemovedFile, 'blob_id'>[],
): Promise<void> {
  const [first] = files;
  if (!first) return;
  const entryOf = ({ name, original_name }: typeof first, size: number, count: number) => ({
    id: newRowId(now),
    account_id: accountId,
    event,
    name,
    original_name,
    size,
    files: count,
    cause,
    happened_at: now,
  });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (!counted.has(event))
    await insertEntries(
      tx,
      files.map((file) => entryOf(file, file.size, 1)),
    );
  else if (!(await addToEntry(tx, { accountId, event, cause, now }, size, files.length)))
    await insertEntries(tx, [entryOf(first, size, files.length)]);
}

const insertEntries = (tx: Transaction, entries: readonly Insertable<Schema['activity']>[]) =>
  tx.insertInto('activity').values(entries).execute();

async function addToEntry(
  tx: Transaction,
  { accountId, event, cause, now }: Required<Noted>,
  size: number,
  files: number,
): Promise<boolean> {
  const since = now - hours(1);
  const entry = tx
    .selectFrom('activity')
    .select('id')
    .where('account_id', '=', accountId)
    // Ids begin with the time, and there is no index by event.
    .where('id', '>', newRowId(since))
    .where('event', '=', event)
    .where('happened_at', '>', since)
    .orderBy('id')
    .limit(1);
  const added = await tx
    .updateTable('activity')
    .set((eb) => ({
      size: eb('size', '+', size),
      files: eb('files', '+', files),
      cause: eb.case().when('cause', '=', cause).then(cause).else('').end(),
    }))
    .where('id', '=', entry)
    .executeTakeFirst();
  return added.numUpdatedRows > 0n;
}
