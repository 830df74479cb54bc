import { type Tallies, writeFreeTallies } from '../delivery/hits.ts';
import type { Database, Transaction } from '../engines/database/database.ts';

export interface BatchToCount {
  /** Id of the journal that it belongs to. */
  readonly journal: string;
  /** Larger than that of the batch before it in the same journal. */
  readonly batch: number;
  readonly tallies: Tallies;
  /** No access can be later. */
  readonly now: number;
}

/**
 * Counts a batch of hits in the primary database, once, however often it is sent: the number of the last counted batch
 * changes in the same transaction. It waits for no row of a file, because a deletion that holds one may wait for another
 * that this holds. Returns false if files remain whose rows were held; the same call then counts the rest.
 */
export function countBatch(primary: Database, { journal, batch, tallies, now }: BatchToCount): Promise<boolean> {
  return primary.transaction().execute(async (tx) => {
    const { last_batch, uncounted } = await holdJournal(tx, journal, now);
    if (last_batch > batch) return true;
    const due = upTo(now, last_batch === batch ? only(idsIn(uncounted), tallies) : tallies);
    const left = due.size === 0 ? [] : await countFree(tx, due);
    await tx
      .updateTable('hit_journals')
      .set({ last_batch: batch, uncounted: left.length === 0 ? '' : JSON.stringify(left) })
      .where('id', '=', journal)
      .execute();
    return left.length === 0;
  });
}

/** A journal that is complete needs no row. */
export async function forgetJournal(primary: Database, journal: string): Promise<void> {
  await primary.deleteFrom('hit_journals').where('id', '=', journal).execute();
}

async function holdJournal(tx: Transaction, id: string, now: number) {
  return tx
    .insertInto('hit_journals')
    .values({ id, last_batch: 0, uncounted: '', seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
    .returning(['last_batch', 'uncounted'])
    .executeTakeFirstOrThrow();
}

/** Returns the files that exist and were held. Others that were not counted are unknown to this database. */
async function countFree(tx: Transaction, tallies: Tallies): Promise<string[]> {
  const counted = new Set(await writeFreeTallies(tx, tallies));
  const missing = [...tallies.keys()].filter((id) => !counted.has(id));
  if (missing.length === 0) return [];
  const held = await tx.selectFrom('files').select('id').where('id', 'in', missing).execute();
  return held.map(({ id }) => id);
}

const idsIn = (column: string): readonly string[] => (column === '' ? [] : (JSON.parse(column) as string[]));

const only = (ids: readonly string[], tallies: Tallies): Tallies =>
  new Map([...tallies].filter(([id]) => ids.includes(id)));

const upTo = (now: number, tallies: Tallies): Tallies =>
  new Map(
    [...tallies].map(([id, { hits, lastAccessedAt }]) => [id, { hits, lastAccessedAt: Math.min(lastAccessedAt, now) }]),
  );
