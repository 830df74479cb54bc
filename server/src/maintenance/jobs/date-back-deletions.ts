import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../engines/database/database.ts';
import { skipLocked } from '../../engines/database/skip-locked.ts';
import { clockSkew } from '../../lib/clock.ts';
import { batchSize, inBatches } from '../in-batches.ts';
import type { JobRun } from '../job.ts';

/**
 * Deletions made while a clock was ahead, before it jumped back, count as made now. They get their grace period and do
 * not stay in storage until that future time comes.
 */
export async function dateBackDeletions({ context: { db, clock }, signal }: JobRun): Promise<void> {
  const now = clock.now();
  for (const dateBack of [dateBackBlobs, dateBackFiles, dateBackAccounts])
    await inBatches(signal, () => dateBack(db, now, now + clockSkew));
}

// Each query uses the same conditions as the purge, so that it uses the same index.

async function dateBackBlobs(db: Database, now: number, ahead: number): Promise<number> {
  const some = db.selectFrom('blobs').select('id').where('unused_since', '>', ahead).where('held_for', 'is', null);
  const { numUpdatedRows } = await db
    .updateTable('blobs')
    .set({ unused_since: now })
    .where('id', 'in', skipLocked(db, some.limit(batchSize)))
    .where('unused_since', '>', ahead)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function dateBackFiles(db: Database, now: number, ahead: number): Promise<number> {
  const some = db.selectFrom('files').select('id').where('deleted_at', '>', ahead);
  const named = some.where(sql<SqlBool>`original_name <> ''`);
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ deleted_at: now })
    .where('id', 'in', skipLocked(db, named.limit(batchSize)))
    .where('deleted_at', '>', ahead)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function dateBackAccounts(db: Database, now: number, ahead: number): Promise<number> {
  const some = db.selectFrom('accounts').select('id').where('closed_at', '>', ahead);
  const named = some.where(sql<SqlBool>`email <> ''`);
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ closed_at: now })
    .where('id', 'in', skipLocked(db, named.limit(batchSize)))
    .where('closed_at', '>', ahead)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
