import type { Database } from './database.ts';

export interface ServiceFact {
  readonly value: string;
  readonly at: number;
}

/** Where `holdfast backup` has made one. */
export const backupFolderFact = 'folder of the backups';

export async function readFact(db: Database, name: string): Promise<ServiceFact | null> {
  const row = await db.selectFrom('service_facts').select(['value', 'at']).where('name', '=', name).executeTakeFirst();
  return row ?? null;
}

export async function writeFact(db: Database, name: string, { value, at }: ServiceFact): Promise<void> {
  await db
    .insertInto('service_facts')
    .values({ name, value, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, at }))
    .execute();
}
