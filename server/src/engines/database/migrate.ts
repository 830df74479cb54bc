import { readdir, readFile } from 'node:fs/promises';
import { CompiledQuery } from 'kysely';
import { type Database, OtherSchema, type Transaction } from './database.ts';
import { fillSearchText } from './fill-search-text.ts';
import { refuseChangesToActions } from './refuse-changes-to-actions.ts';

const folder = new URL('./migrations/', import.meta.url);

/** What follows a file in its transaction, because SQL does not do it the same way on both engines. */
const fills: Readonly<Record<string, (tx: Transaction) => Promise<void>>> = {
  '0005-search-text.sql': fillSearchText,
  '0011-operators.sql': refuseChangesToActions,
};

/** The number of the advisory lock that keeps two starting nodes from migrating at once; any constant will do. */
const migrationLock = 4_829_310;

/** Runs the numbered files that this database has not seen, in order, each in one transaction with its note. */
export async function migrate(db: Database, runScript?: (sql: string) => void): Promise<void> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  for (const name of await missingMigrations(db)) {
    const script = await readFile(new URL(name, folder), 'utf8');
    await db.transaction().execute((tx) => applyOnce(tx, name, script, runScript));
  }
}

/**
 * For whoever opens a database without changing its schema.
 * @throws {OtherSchema} when it is older or newer than this program.
 */
export async function requireMigrated(db: Database): Promise<void> {
  const missing = await missingMigrations(db).catch((error: unknown) => {
    const empty = error instanceof Error && /no such table|does not exist/.test(error.message);
    throw empty ? new OtherSchema("The database is empty. Run 'holdfast migrate', or start the server once.") : error;
  });
  if (missing.length > 0)
    throw new OtherSchema(
      `The database is older than this program (it has no ${missing.join(', ')}). Run 'holdfast migrate'.`,
    );
}

/** The files that this database has not seen, in order. */
async function missingMigrations(db: Database): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map((row) => row.name));
  const unknown = [...applied].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new OtherSchema(
      `The database is newer than this program (it has ${unknown.join(', ')}). Install the newer version again.`,
    );
  }
  return names.filter((name) => !applied.has(name));
}

async function applyOnce(
  tx: Transaction,
  name: string,
  script: string,
  runScript?: (sql: string) => void,
): Promise<void> {
  if (!runScript) await tx.executeQuery(CompiledQuery.raw(`SELECT pg_advisory_xact_lock(${migrationLock})`));
  const seen = await tx.selectFrom('migrations').select('name').where('name', '=', name).executeTakeFirst();
  if (seen) return;
  // A large table takes longer than a statement may while it serves.
  if (!runScript) await tx.executeQuery(CompiledQuery.raw('SET LOCAL statement_timeout = 0'));
  // A script holds many statements: SQLite runs them by its own call, PostgreSQL in one simple query.
  if (runScript) runScript(script);
  else await tx.executeQuery(CompiledQuery.raw(script));
  await fills[name]?.(tx);
  await tx.insertInto('migrations').values({ name, applied_at: Date.now() }).execute();
}
