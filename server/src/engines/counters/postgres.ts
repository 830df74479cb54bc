import { Failure } from '@holdfast/contract/src/errors.ts';
import { sql } from 'kysely';
import { type Clock, minutes, seconds } from '../../lib/clock.ts';
import { sha256Hex } from '../../lib/derive-key.ts';
import type { Database } from '../database/database.ts';
import { type Counters, takenAt, type Limit } from './counters.ts';

const sweepEvery = minutes(10);
/**
 * Maximum difference between the clocks of two processes. Without it, the slower clock would mistake a fresh count by
 * the faster one for a clock that was set back, and refill the bucket a little with each refusal.
 */
const clocksMayDiffer = seconds(5);

/** Counters shared by all processes on one PostgreSQL. Clocks that differ a little cost a little of the refill. */
export async function openPostgresCounters(db: Database, clock: Clock): Promise<Counters> {
  await keepOutOfTheLog(db);
  let sweptAt = clock.now();
  const sweep = async (now: number) => {
    if (now - sweptAt < sweepEvery) return;
    sweptAt = now;
    await db.deleteFrom('counters').where('full_at', '<=', now).execute();
  };
  return {
    take: (key, limit) =>
      orUnavailable(async () => {
        const now = clock.now();
        await sweep(now);
        const { full_at, allowed } = await takeOne(db, sha256Hex(key), now, limit);
        return takenAt(full_at, now, limit, allowed);
      }),
    giveBack: (key, { everyMs }) =>
      orUnavailable(async () => {
        await db
          .updateTable('counters')
          .set((eb) => ({ full_at: eb('full_at', '-', everyMs) }))
          .where('key', '=', sha256Hex(key))
          .execute();
      }),
  };
}

/**
 * Makes the table unlogged. Every call is a write, and none is worth waiting for the disk: a crash loses the counters.
 */
async function keepOutOfTheLog(db: Database): Promise<void> {
  const logged = await sql`SELECT 1 FROM pg_class WHERE oid = 'counters'::regclass AND relpersistence <> 'u'`.execute(
    db,
  );
  if (logged.rows.length > 0) await sql`ALTER TABLE counters SET UNLOGGED`.execute(db);
}

/** One statement decides. If it takes no token, it returns how far the bucket is from full. */
async function takeOne(db: Database, key: string, now: number, { capacity, everyMs }: Limit) {
  const emptyAt = now + capacity * everyMs;
  const { rows } = await sql<{ full_at: number; allowed: boolean }>`
    WITH taken AS (
      INSERT INTO counters (key, full_at) VALUES (${key}, ${now + everyMs})
      ON CONFLICT (key) DO UPDATE SET full_at = greatest(counters.full_at, ${now}::bigint) + ${everyMs}::bigint
      WHERE greatest(counters.full_at, ${now}::bigint) + ${everyMs}::bigint <= ${emptyAt}::bigint
      RETURNING full_at
    )
    SELECT full_at, true AS allowed FROM taken
    UNION ALL
    SELECT full_at, false FROM counters WHERE key = ${key} AND NOT EXISTS (SELECT FROM taken)`.execute(db);
  // The second half of the statement does not see a bucket that others created and emptied after it began.
  const taken = rows[0] ?? { full_at: emptyAt, allowed: false };
  const latest = emptyAt + clocksMayDiffer;
  if (taken.full_at <= latest) return taken;
  await db
    .updateTable('counters')
    .set({ full_at: emptyAt })
    .where('key', '=', key)
    .where('full_at', '>', latest)
    .execute();
  return { full_at: emptyAt, allowed: false };
}

async function orUnavailable<T>(count: () => Promise<T>): Promise<T> {
  try {
    return await count();
  } catch (error) {
    throw new Failure('UNAVAILABLE', undefined, { cause: error });
  }
}
