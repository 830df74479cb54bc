import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { idleFor, validFor } from '../accounts/sessions.ts';
import type { Database } from '../engines/database/database.ts';
import type { Schema } from '../engines/database/schema.ts';
import { skipLocked } from '../engines/database/skip-locked.ts';
import { days } from '../lib/clock.ts';
import { type Brake, Braked } from './brake.ts';
import { batchSize, inBatches } from './in-batches.ts';
import type { Job } from './job.ts';

const activityKeptFor = days(365);
/** What a large site has an hour of. Up to it nobody counts the whole. */
const unremarkable = 10_000;

/**
 * Rows that are out of date and count for nothing. Others keep their own few: the engine of counters, the post its letters,
 * billing its events. Only activity has a brake: without the rest people at worst sign in again.
 */
export const deleteExpired: Job = {
  name: 'delete-expired',
  pattern: '13 * * * *',
  async run({ context: { db, clock }, dryRun, signal, brake }) {
    const deleted: Record<string, number> = {};
    let stopped: Braked | null = null;
    for (const rows of expiredRows(clock.now())) {
      const tooMany = !dryRun && rows.table === 'activity' ? await wouldBeTooMany(db, rows, brake) : null;
      if (tooMany) {
        stopped = tooMany;
        continue;
      }
      deleted[rows.table] = dryRun ? await count(db, rows) : await inBatches(signal, () => deleteSome(db, rows));
    }
    // Only now: what counts for nothing in the other tables goes whatever is wrong with one of them.
    if (stopped) throw stopped;
    return deleted;
  },
};

interface Rows {
  readonly table: keyof Schema;
  /** Its primary key. */
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
    // How many codes were sent on a day is counted beyond the end of the last one.
    are: sql<SqlBool>`expires_at <= ${now} AND day_started_at <= ${now - days(1)}`,
  },
  { table: 'reset_keys', key: 'address_hash', are: sql<SqlBool>`expires_at <= ${now}` },
  { table: 'spent_challenges', key: 'id', are: sql<SqlBool>`expires_at <= ${now}` },
  { table: 'activity', key: 'id', are: sql<SqlBool>`happened_at <= ${now - activityKeptFor}` },
];

async function count(db: Database, { table, are }: Rows): Promise<number> {
  const counted = db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('rows'));
  return (await counted.where(are).executeTakeFirstOrThrow()).rows;
}

async function wouldBeTooMany(db: Database, rows: Rows, brake: Brake): Promise<Braked | null> {
  const condemned = await count(db, rows);
  if (condemned <= unremarkable) return null;
  try {
    brake.check(condemned, await count(db, { ...rows, are: sql<SqlBool>`1 = 1` }), unremarkable);
    return null;
  } catch (error) {
    if (error instanceof Braked) return error;
    throw error;
  }
}

async function deleteSome(db: Database, { table, key, are }: Rows): Promise<number> {
  const some = db.selectFrom(table).select(sql.ref<string>(key).as('key')).where(are).limit(batchSize);
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where(sql.ref<string>(key), 'in', skipLocked(db, some))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
