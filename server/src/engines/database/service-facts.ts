/** What is known of the service as a whole: rows of `service_facts`. */
import type { Database } from './database.ts';

export interface Fact {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Null where it was never written. */
export async function readFact(db: Database, name: string): Promise<Fact | null> {
  const row = await db.selectFrom('service_facts').select(['value', 'at']).where('name', '=', name).executeTakeFirst();
  return row ?? null;
}

/** Inserts the fact, or replaces the one of that name. */
export async function writeFact(db: Database, name: string, { value, at }: Fact): Promise<void> {
  await db
    .insertInto('service_facts')
    .values({ name, value, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, at }))
    .execute();
}
