import { sql } from 'kysely';
import { type Clock, minutes, seconds } from '../../lib/clock.ts';
import { sha256Hex } from '../../lib/derive-key.ts';
import type { LiveTables } from '../peers/live-tables.ts';
import type { Peers } from '../peers/peers.ts';
import type { Counters, Limit } from './counters.ts';
import { createEmptyBuckets } from './empty-buckets.ts';
import { openMemoryCounters } from './memory.ts';
import { orUnavailable } from './or-unavailable.ts';

const sweepEvery = minutes(10);
const rowsPerStatement = 500;
/** A statement may wait for those of others. A time further ahead was written before the machine was restarted. */
const leeway = seconds(10);

/**
 * Counters for the processes of one SQLite database: in the memory of a process that is alone, and in a file that is not
 * synced while there are others. What either holds moves to the other when that changes.
 */
export function openSqliteCounters(peers: Pick<Peers, 'follow'>, clock: Pick<Clock, 'elapsed'>): Counters {
  const memory = openMemoryCounters(clock);
  const emptyBuckets = createEmptyBuckets(() => clock.elapsed());
  let shared: LiveTables | null = null;
  let sweptAt = performance.now();
  const sweep = async ({ db, now }: LiveTables) => {
    if (performance.now() - sweptAt < sweepEvery) return;
    sweptAt = performance.now();
    await db.deleteFrom('counters').where('full_at', '<=', now()).execute();
  };
  peers.follow({
    async beginSharing(tables) {
      shared = tables;
      const lacking = memory.drain();
      try {
        while (lacking.length > 0) {
          await addLacking(tables, lacking.slice(0, rowsPerStatement));
          lacking.splice(0, rowsPerStatement);
        }
      } finally {
        // Written the next time, if it failed.
        for (const [key, missing] of lacking) memory.lack(key, missing);
      }
    },
    async endSharing(tables) {
      const { rows } = await sql<{ key: string; missing: number }>`
        DELETE FROM counters RETURNING key, full_at - ${tables.now()} AS missing`.execute(tables.db);
      shared = null;
      for (const { key, missing } of rows) if (missing > 0) memory.lack(key, missing);
    },
  });
  return {
    take(key, limit) {
      const tables = shared;
      if (!tables) return memory.take(keyOf(key), limit);
      return orUnavailable(async () => {
        await sweep(tables);
        return emptyBuckets.take(key, limit, () => takeOne(tables, keyOf(key), limit));
      });
    },
    giveBack(key, limit) {
      const tables = shared;
      if (!tables) return memory.giveBack(keyOf(key), limit);
      return orUnavailable(async () => {
        await tables.db
          .updateTable('counters')
          .set((eb) => ({ full_at: eb('full_at', '-', limit.everyMs) }))
          .where('key', '=', keyOf(key))
          .execute();
        emptyBuckets.forget(key);
      });
    },
  };
}

/** An address of a client is not kept in the file. */
const keyOf = (key: string): string => sha256Hex(key);

/** Until when the bucket of a row is being filled. */
const fullAt = ({ now }: LiveTables) =>
  sql`CASE WHEN counters.counted_at > ${now()} + ${leeway} THEN ${now()} ELSE max(counters.full_at, ${now()}) END`;

async function takeOne(tables: LiveTables, key: string, { capacity, everyMs }: Limit) {
  const { db, now } = tables;
  // Several memories together may lack more tokens than a bucket holds.
  const before = sql`min(${fullAt(tables)}, ${now()} + ${capacity * everyMs})`;
  const taken = await sql<{ fullAt: number; now: number }>`
    INSERT INTO counters (key, full_at, counted_at) VALUES (${key}, ${now()} + ${everyMs}, ${now()})
    ON CONFLICT (key) DO UPDATE SET full_at = ${before} + ${everyMs}, counted_at = excluded.counted_at
    WHERE ${before} <= ${now()} + ${(capacity - 1) * everyMs}
    RETURNING full_at AS "fullAt", counted_at AS now`.execute(db);
  const [row] = taken.rows;
  if (row) return { ...row, allowed: true };
  const refused = await sql<{ fullAt: number; now: number }>`
    SELECT min(full_at, ${now()} + ${capacity * everyMs}) AS "fullAt", ${now()} AS now
    FROM counters WHERE key = ${key}`.execute(db);
  // A sweep may have deleted it since.
  return { ...(refused.rows[0] ?? { fullAt: 0, now: 0 }), allowed: false };
}

async function addLacking(tables: LiveTables, lacking: readonly (readonly [string, number])[]): Promise<void> {
  const { db, now } = tables;
  const rows = sql.join(lacking.map(([key, missing]) => sql`(${key}, ${now()} + ${Math.ceil(missing)}, ${now()})`));
  await sql`
    INSERT INTO counters (key, full_at, counted_at) VALUES ${rows}
    ON CONFLICT (key) DO UPDATE SET
      full_at = ${fullAt(tables)} + excluded.full_at - excluded.counted_at, counted_at = excluded.counted_at`.execute(
    db,
  );
}
