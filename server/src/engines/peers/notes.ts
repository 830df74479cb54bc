import { sql } from 'kysely';
import { isLive } from './is-live.ts';
import type { LiveTables } from './live-tables.ts';

const rowsPerStatement = 500;

export interface Notes {
  /** Writes what has changed in the notes of this process, and returns those of the others under the same keys. */
  exchange(tables: LiveTables, own: ReadonlyMap<string, string>): Promise<Map<string, string[]>>;
  /** Writes all of them the next time, because their rows are gone. */
  forgetWritten(): void;
}

export function createNotes(processId: string): Notes {
  let written = new Map<string, string>();
  return {
    async exchange(tables, own) {
      const changed = [...own].filter(([key, note]) => written.get(key) !== note);
      const gone = [...written.keys()].filter((key) => !own.has(key));
      for (const part of batchesOf(gone)) await deleteNotes(tables, processId, part);
      for (const part of batchesOf(changed)) await writeNotes(tables, processId, part);
      written = new Map(own);
      return own.size === 0 ? new Map() : readNotes(tables, processId);
    },
    forgetWritten: () => written.clear(),
  };
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += rowsPerStatement) yield all.slice(from, from + rowsPerStatement);
}

async function writeNotes(
  { db }: LiveTables,
  process_id: string,
  notes: readonly (readonly [string, string])[],
): Promise<void> {
  await db
    .insertInto('live_notes')
    .values(notes.map(([key, note]) => ({ key, process_id, note })))
    .onConflict((conflict) =>
      conflict.columns(['key', 'process_id']).doUpdateSet((eb) => ({ note: eb.ref('excluded.note') })),
    )
    .execute();
}

async function deleteNotes({ db }: LiveTables, processId: string, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('live_notes').where('process_id', '=', processId).where('key', 'in', keys).execute();
}

async function readNotes(tables: LiveTables, processId: string): Promise<Map<string, string[]>> {
  const rows = await tables.db
    .selectFrom('live_notes as mine')
    .innerJoin('live_notes as other', 'other.key', 'mine.key')
    .innerJoin('live_processes as writer', 'writer.id', 'other.process_id')
    .select(['other.key', 'other.note'])
    .where('mine.process_id', '=', processId)
    .where('other.process_id', '<>', processId)
    .where(sql<boolean>`${isLive(tables, 'writer')}`)
    .execute();
  const found = new Map<string, string[]>();
  for (const { key, note } of rows) found.set(key, [...(found.get(key) ?? []), note]);
  return found;
}
