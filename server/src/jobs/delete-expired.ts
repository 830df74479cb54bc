import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { idleFor, validFor } from '../accounts/sessions.ts';
import type { Database } from '../storage/db/database.ts';
import type { Schema } from '../storage/db/schema.ts';
import { skipLocked } from '../storage/db/lock-rows.ts';
import { daysAgo } from '../lib/calendar-days.ts';
import { days } from '../lib/clock.ts';
import type { Job } from './job.ts';
import { batchSize, countRows, inBatches } from '../storage/db/batches.ts';

/** A large site accumulates as many rows in an hour: up to this number the total is not counted. */
const unremarkable = 10_000;

/** Only activity has a deletion limit of its own: without the other rows users at worst sign in again. */
export const deleteExpired: Job = {
  name: 'delete-expired',
  pattern: '13 * * * *',
  deletesByAge: true,
  hasDeletionLimit: true,
  async run({ context: { db, clock }, dryRun, signal, deletionLimit }) {
    const expired = expiredRows(clock.now());
    const { allowed } = deletionLimit;
    if (dryRun || allowed !== null) {
      const due = Object.fromEntries(
        await Promise.all(expired.map(async (rows) => [rows.table, await count(db, rows)] as const)),
      );
      if (dryRun) return due;
      const all = Object.values(due).reduce((sum, rows) => sum + rows, 0);
      deletionLimit.check(all, all);
    }
    const deleted: Record<string, number> = {};
    for (const rows of expired) {
      if (allowed === null && rows.table === 'activity') {
        const condemned = await count(db, rows);
        if (condemned > unremarkable)
          deletionLimit.check(condemned, await countRows(db.selectFrom('activity')), unremarkable);
      }
      deleted[rows.table] = await inBatches(signal, () => deleteSome(db, rows));
    }
    return deleted;
  },
};

interface Rows {
  readonly table: keyof Schema;
  readonly key: string;
  readonly are: RawBuilder<SqlBool>;
}

const expiredRows = (now: number): readonly Rows[] => [
  {
    table: 'sessions',
    key: 'token_hash',
    are: sql<SqlBool>`(created_at <= ${now - validFor} OR last_seen_at <= ${now - idleFor})`,
  },
  {
    table: 'email_codes',
    key: 'account_id',
    // The daily count of sent codes outlives the last code.
    are: sql<SqlBool>`expires_at <= ${now} AND day_started_at <= ${now - days(1)}`,
  },
  { table: 'reset_keys', key: 'address_hash', are: sql<SqlBool>`expires_at <= ${now}` },
  { table: 'spent_challenges', key: 'id', are: sql<SqlBool>`expires_at <= ${now}` },
  { table: 'activity', key: 'id', are: sql<SqlBool>`happened_at <= ${daysAgo(now, 366)}` },
];

const count = (db: Database, { table, are }: Rows) => countRows(db.selectFrom(table).where(are));

async function deleteSome(db: Database, { table, key, are }: Rows): Promise<number> {
  const some = db.selectFrom(table).select(sql.ref<string>(key).as('key')).where(are).limit(batchSize);
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where(sql.ref<string>(key), 'in', skipLocked(db, some))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
