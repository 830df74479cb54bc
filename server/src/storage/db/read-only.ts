/** Triggers refuse changes by all processes at once. */
import { sql } from 'kysely';
import { type Database, DatabaseReadOnly, isPostgres, readOnlyRefusal, type Transaction } from './database.ts';

const called = sql.id('holdfast_read_only');
const prefix = 'read_only_';

export async function refuseChanges(tx: Transaction, tables: readonly string[]): Promise<void> {
  if (isPostgres(tx)) {
    // Waits for each transaction that has written to one of them. Readers go on.
    await sql`LOCK TABLE ${sql.join(tables.map((table) => sql.table(table)))} IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
    await setBody(tx, `BEGIN RAISE EXCEPTION '${readOnlyRefusal}'; END`);
  }
  for (const table of tables)
    if (isPostgres(tx))
      await sql`
        CREATE OR REPLACE TRIGGER ${called} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION ${called}()`.execute(tx);
    else
      for (const change of ['INSERT', 'UPDATE', 'DELETE'])
        await sql`
          CREATE TRIGGER ${sql.id(`${prefix}${change.toLowerCase()}_${table}`)} BEFORE ${sql.raw(change)} ON ${sql.table(table)}
          BEGIN SELECT RAISE(ABORT, ${sql.lit(readOnlyRefusal)}); END`.execute(tx);
}

/** The triggers of PostgreSQL stay, and do nothing: to drop them all at once could deadlock with readers. */
export async function acceptChanges(tx: Transaction): Promise<void> {
  if (isPostgres(tx)) return setBody(tx, 'BEGIN RETURN NULL; END');
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB ${`${prefix}*`}`.execute(tx);
  for (const { name } of rows) await sql`DROP TRIGGER ${sql.id(name)}`.execute(tx);
}

async function setBody(tx: Database, body: string): Promise<void> {
  await sql`CREATE OR REPLACE FUNCTION ${called}() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(body)}`.execute(tx);
}

export async function unlessReadOnly(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!(error instanceof DatabaseReadOnly)) throw error;
  });
}
