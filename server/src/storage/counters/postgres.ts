import { type RawBuilder, sql } from 'kysely';
import { type Clock, minutes, systemClock } from '../../lib/clock.ts';
import { sha256Hex } from '../../lib/derive-key.ts';
import type { Database } from '../db/database.ts';
import { keepOutOfLog } from '../db/keep-out-of-log.ts';
import { prepared } from '../db/prepared.ts';
import { databaseTime } from '../db/database-time.ts';
import type { Counters, Limit } from './counters.ts';
import { createEmptyBuckets } from './empty-buckets.ts';
import { orUnavailable } from './or-unavailable.ts';

const sweepEvery = minutes(10);

/**
 * Counters shared by all processes on one PostgreSQL. They count by its clock, because those of the processes differ. A
 * test counts by its own `clock`.
 */
export async function openPostgresCounters(db: Database, clock?: Clock): Promise<Counters> {
  await keepOutOfLog(db, ['counters']);
  const now = () => (clock ? sql<number>`${clock.now()}::bigint` : databaseTime);
  const emptyBuckets = createEmptyBuckets(() => (clock ? clock.now() : systemClock.monotonic()));
  let sweptAt = performance.now();
  const sweep = async () => {
    if (performance.now() - sweptAt < sweepEvery) return;
    sweptAt = performance.now();
    await sql`DELETE FROM counters WHERE full_at <= ${now()} OR counted_at > ${now()}`.execute(db);
  };
  return {
    take: (key, limit) =>
      orUnavailable(async () => {
        await sweep();
        return emptyBuckets.take(key, limit, () => takeOne(db, sha256Hex(key), now(), limit));
      }),
    giveBack: (key, { everyMs }) =>
      orUnavailable(async () => {
        await db
          .updateTable('counters')
          .set((eb) => ({ full_at: eb('full_at', '-', everyMs) }))
          .where('key', '=', sha256Hex(key))
          .execute();
        emptyBuckets.forget(key);
      }),
  };
}

interface Bucket {
  readonly fullAt: number;
  readonly now: number;
  readonly allowed: boolean;
}

/** One statement decides. If it takes no token, it returns how far the bucket is from full. */
async function takeOne(
  db: Database,
  key: string,
  time: RawBuilder<number>,
  { capacity, everyMs }: Limit,
): Promise<Bucket> {
  // A bucket counted later than now is one whose clock was set back: nobody knows how much time has passed since, so
  // it is full. The time is read again behind the lock of the row, so waiting for it does not look like that.
  const before = sql`CASE WHEN counters.counted_at > ${time} THEN ${time} ELSE greatest(counters.full_at, ${time}) END`;
  const { rows } = await sql<Bucket>`
    WITH clock AS MATERIALIZED (SELECT ${time} AS now),
    taken AS (
      INSERT INTO counters (key, full_at, counted_at) SELECT ${key}, now + ${everyMs}::bigint, now FROM clock
      ON CONFLICT (key) DO UPDATE SET full_at = ${before} + ${everyMs}::bigint, counted_at = ${time}
      WHERE ${before} <= ${time} + ${(capacity - 1) * everyMs}::bigint
      RETURNING full_at, counted_at
    )
    SELECT full_at AS "fullAt", counted_at AS now, true AS allowed FROM taken
    UNION ALL
    SELECT coalesce(full_at, now + ${capacity * everyMs}::bigint), now, false
    FROM clock LEFT JOIN counters ON key = ${key}
    WHERE NOT EXISTS (SELECT FROM taken) ${prepared}`.execute(db);
  const [bucket] = rows;
  if (!bucket) throw new Error('unreachable: one half of the statement returns a row');
  return bucket;
}
