/** Triggers refuse changes by all processes at once. */
import { PostgresAdapter, sql } from 'kysely';
import { seconds } from '../../lib/clock.ts';
import { type Database, DatabaseReadOnly, DatabaseUnavailable, readOnlyRefusal, type Transaction } from './database.ts';

export async function refuseChanges(tx: Transaction, tables: readonly string[]): Promise<void> {
  if (isPostgres(tx)) await refuseOnPostgres(tx, tables);
  else for (const table of tables) await refuseOnSqlite(tx, table);
}

export async function acceptChanges(tx: Transaction): Promise<void> {
  if (isPostgres(tx)) await acceptOnPostgres(tx);
  else for (const name of await triggersOnSqlite(tx)) await sql`DROP TRIGGER ${sql.id(name)}`.execute(tx);
}

const isPostgres = (db: Database) => db.getExecutor().adapter instanceof PostgresAdapter;

const called = 'holdfast_read_only';
const bodies = {
  refuses: `BEGIN RAISE EXCEPTION '${readOnlyRefusal}'; END`,
  accepts: 'BEGIN RETURN NULL; END',
};

async function refuseOnPostgres(tx: Transaction, tables: readonly string[]): Promise<void> {
  // Waits for each transaction that has written to one of them. Readers go on.
  await sql`LOCK TABLE ${sql.join(tables.map((table) => sql.table(table)))} IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  await setBody(tx, bodies.refuses);
  const present = await tablesWithTrigger(tx);
  for (const table of tables.filter((each) => !present.includes(each)))
    await sql`
      CREATE TRIGGER ${sql.id(called)} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION ${sql.id(called)}()`.execute(tx);
}

/** The triggers stay: to drop them all at once could deadlock with readers. See `removeTriggers`. */
async function acceptOnPostgres(tx: Transaction): Promise<void> {
  if ((await tablesWithTrigger(tx)).length > 0) await setBody(tx, bodies.accepts);
}

async function setBody(tx: Transaction, body: string): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION ${sql.id(called)}() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(body)}`.execute(tx);
}

async function tablesWithTrigger(db: Database): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    SELECT relname AS table FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE tgname = ${called} AND relnamespace = current_schema()::regnamespace ORDER BY relname`.execute(db);
  return rows.map(({ table }) => table);
}

const mostTries = 20;

/**
 * Drops the triggers that `acceptChanges` has left on PostgreSQL. New readers of a table wait behind it, so it waits for a
 * moment only. Those that cannot be dropped refuse nothing.
 */
export async function removeTriggers(db: Database): Promise<void> {
  if (!isPostgres(db)) return;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const [table] = await tablesWithTrigger(db);
    if (table === undefined) return;
    await db
      .transaction()
      .execute(async (tx) => {
        await sql`SELECT set_config('lock_timeout', ${String(seconds(0.2))}, true)`.execute(tx);
        await sql`DROP TRIGGER ${sql.id(called)} ON ${sql.table(table)}`.execute(tx);
        tries = 0;
      })
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable)) throw error;
      });
  }
}

async function refuseOnSqlite(tx: Transaction, table: string): Promise<void> {
  for (const change of ['INSERT', 'UPDATE', 'DELETE'])
    await sql`
      CREATE TRIGGER ${sql.id(`${prefix}${change.toLowerCase()}_${table}`)} BEFORE ${sql.raw(change)} ON ${sql.table(table)}
      BEGIN SELECT RAISE(ABORT, ${sql.lit(readOnlyRefusal)}); END`.execute(tx);
}

const prefix = 'read_only_';

async function triggersOnSqlite(tx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB ${`${prefix}*`} ORDER BY name`.execute(tx);
  return rows.map(({ name }) => name);
}

export async function unlessReadOnly(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!(error instanceof DatabaseReadOnly)) throw error;
  });
}
