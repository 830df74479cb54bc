import { type RawBuilder, sql } from 'kysely';
import { type Clock, minutes, seconds, systemClock } from '../../lib/clock.ts';
import { sha256Hex } from '../../lib/derive-key.ts';
import { createLru } from '../../lib/lru.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { type Counters, type Limit, takenAt } from './counters.ts';

const sweepEvery = minutes(10);
const refusedFor = seconds(1);

const databaseTime = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** They count by the clock of the database, because those of the processes differ. */
export async function openPostgresCounters(db: Database, clock?: Clock): Promise<Counters> {
  await keepOutOfLog(db);
  const time = () => (clock ? sql<number>`${clock.now()}::bigint` : databaseTime);
  const monotonic = () => (clock ? clock.now() : systemClock.monotonic());
  /** Nobody can take a token before its next one is due. */
  const refused = createLru<string, { readonly at: number; readonly fullAt: number }>(10_000);
  let sweptAt = performance.now();
  const sweep = async () => {
    if (performance.now() - sweptAt < sweepEvery) return;
    sweptAt = performance.now();
    await sql`DELETE FROM counters WHERE full_at <= ${time()} OR counted_at > ${time()}`.execute(db);
  };
  return {
    async take(key, limit) {
      const at = monotonic();
      const known = refused.get(key);
      const isEmpty = known && known.fullAt > at + (limit.capacity - 1) * limit.everyMs;
      if (isEmpty && at >= known.at && at < known.at + refusedFor) return takenAt(known.fullAt, at, limit, false);
      await sweep();
      const { fullAt, now, allowed } = await takeOne(db, sha256Hex(key), time(), limit);
      if (!allowed) refused.set(key, { at, fullAt: at + fullAt - now });
      return takenAt(fullAt, now, limit, allowed);
    },
    async giveBack(key, { everyMs }) {
      await db
        .updateTable('counters')
        .set((eb) => ({ full_at: eb('full_at', '-', everyMs) }))
        .where('key', '=', sha256Hex(key))
        .execute();
      refused.delete(key);
    },
  };
}

/** No row is worth waiting for the disk. A crash empties the table. */
async function keepOutOfLog(db: Database): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_class WHERE oid = 'counters'::regclass AND relpersistence = 'p'`.execute(
    db,
  );
  if (rows.length > 0) await sql`ALTER TABLE counters SET UNLOGGED`.execute(db);
}

/** If it takes no token, it returns how far the bucket is from full. */
async function takeOne(db: Database, key: string, time: RawBuilder<number>, { capacity, everyMs }: Limit) {
  // A bucket counted later than now is full: the clock was set back. It is read again behind the lock of the row.
  const before = sql`CASE WHEN counters.counted_at > ${time} THEN ${time} ELSE greatest(counters.full_at, ${time}) END`;
  const { rows } = await sql<{ readonly fullAt: number; readonly now: number; readonly allowed: boolean }>`
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
