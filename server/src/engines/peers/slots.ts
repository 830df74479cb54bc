import { sql } from 'kysely';
import { prepared } from '../database/prepared.ts';
import { isLive } from './is-live.ts';
import type { LiveTables } from './live-tables.ts';

/** Work of this process that holds a slot. `slot` is null while no row says so. */
export interface Held {
  readonly key: string;
  readonly most: number;
  slot: number | null;
}

/** A loser of a race for a slot tries the next one; each round has a winner. */
const mostTries = 8;

/** Takes a free slot of a key for a process. Returns null if live processes hold all of them. */
export async function takeSlotRow(
  tables: LiveTables,
  processId: string,
  { key, most }: Pick<Held, 'key' | 'most'>,
): Promise<number | null> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const slot = await tryToTake(tables, processId, key, most);
    if (slot !== undefined) return slot;
    if ((await countTaken(tables, processId, key)) >= most) return null;
  }
  return null;
}

/** Writes the row of a slot again if it is lost. Returns false if another live process has taken that slot meanwhile. */
export async function restoreSlotRow(
  tables: LiveTables,
  processId: string,
  { key, slot }: Pick<Held, 'key' | 'slot'>,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO live_slots (key, slot, process_id) VALUES (${key}, ${slot}, ${processId})
    ON CONFLICT (key, slot) DO UPDATE SET process_id = excluded.process_id
    WHERE live_slots.process_id = excluded.process_id OR NOT (${isHeld(tables, processId, 'live_slots')})
    RETURNING slot ${prepared}`.execute(tables.db);
  return rows.length > 0;
}

export async function deleteSlotRow({ db }: LiveTables, processId: string, { key, slot }: Held): Promise<void> {
  await db
    .deleteFrom('live_slots')
    .where('key', '=', key)
    .where('slot', '=', slot)
    .where('process_id', '=', processId)
    .modifyEnd(prepared)
    .execute();
}

/** One statement checks and takes, so that of two processes which choose the same slot one gets it. */
async function tryToTake(
  tables: LiveTables,
  processId: string,
  key: string,
  most: number,
): Promise<number | undefined> {
  const slots = sql.join(Array.from({ length: most }, (_, slot) => sql`(cast(${slot} AS bigint))`));
  const { rows } = await sql<{ slot: number }>`
    INSERT INTO live_slots (key, slot, process_id)
    SELECT ${key}, free.column1, ${processId} FROM (VALUES ${slots}) AS free
    WHERE NOT EXISTS (
      SELECT 1 FROM live_slots AS taken WHERE taken.key = ${key} AND taken.slot = free.column1
        AND ${isHeld(tables, processId, 'taken')}
    )
    ORDER BY random() LIMIT 1
    ON CONFLICT (key, slot) DO UPDATE SET process_id = excluded.process_id
    WHERE NOT (${isHeld(tables, processId, 'live_slots')})
    RETURNING slot ${prepared}`.execute(tables.db);
  return rows[0]?.slot;
}

async function countTaken(tables: LiveTables, processId: string, key: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM live_slots AS taken
    WHERE taken.key = ${key} AND ${isHeld(tables, processId, 'taken')}`.execute(tables.db);
  return rows[0]?.count ?? 0;
}

/** A process knows of itself that it lives, also if it was late to say so. */
const isHeld = (tables: LiveTables, processId: string, row: string) => sql`(
  ${sql.ref(`${row}.process_id`)} = ${processId} OR EXISTS (
    SELECT 1 FROM live_processes AS holder WHERE holder.id = ${sql.ref(`${row}.process_id`)}
      AND ${isLive(tables, 'holder')}
  ))`;
