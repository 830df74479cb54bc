/** Facts about the service as a whole: rows of `service_facts`. */
import type { Database } from './database.ts';

export interface ServiceFact {
  readonly value: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** Returns null if the fact was never written. */
export async function readFact(db: Database, name: string): Promise<ServiceFact | null> {
  const row = await db.selectFrom('service_facts').select(['value', 'at']).where('name', '=', name).executeTakeFirst();
  return row ?? null;
}

/** Inserts the fact, or replaces the one with that name. */
export async function writeFact(db: Database, name: string, { value, at }: ServiceFact): Promise<void> {
  await db
    .insertInto('service_facts')
    .values({ name, value, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, at }))
    .execute();
}
