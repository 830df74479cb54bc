import { sql } from 'kysely';
import { type Database, isPostgres } from './database.ts';

interface DamageReport {
  readonly damage: readonly string[];
  readonly notChecked: string | null;
}

export const findDamage = (db: Database, signal: AbortSignal): Promise<DamageReport> =>
  isPostgres(db) ? findOnPostgres(db, signal) : findOnSqlite(db);

async function findOnSqlite(db: Database): Promise<DamageReport> {
  try {
    const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check(100)`.execute(db);
    const lines = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    return { damage: lines.map((line) => `SQLite says: ${line}.`), notChecked: null };
  } catch (error) {
    // SQLITE_CORRUPT and SQLITE_NOTADB, whatever their details.
    if (!(error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff))) throw error;
    return { damage: [`SQLite says: ${error.message}.`], notChecked: null };
  }
}

async function findOnPostgres(db: Database, signal: AbortSignal): Promise<DamageReport> {
  const {
    rows: [extension],
  } = await sql<{ schema: string }>`
    SELECT nspname AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
    WHERE extname = 'amcheck'`.execute(db);
  if (!extension)
    return { damage: [], notChecked: 'The indexes were not checked: a superuser has to CREATE EXTENSION amcheck.' };
  const { rows: indexes } = await sql<{ id: number; name: string }>`
    SELECT pg_index.indexrelid AS id, index.relname AS name FROM pg_index
    JOIN pg_class AS index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = index.relam
    WHERE index.relnamespace = current_schema()::regnamespace AND amname = 'btree' AND indisvalid
    ORDER BY index.relname`.execute(db);
  const damage: string[] = [];
  for (const { id, name } of indexes) {
    signal.throwIfAborted();
    try {
      await db.transaction().execute(async (tx) => {
        await sql`SET LOCAL statement_timeout = 0`.execute(tx);
        await sql`SELECT ${sql.id(extension.schema, 'bt_index_check')}(${id}::oid::regclass, true)`.execute(tx);
      });
    } catch (error) {
      // data_corrupted and index_corrupted; any other, such as a missing privilege, is about the check itself.
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code !== 'XX001' && error.code !== 'XX002')
        return { damage, notChecked: `The indexes were not checked: ${error.message}.` };
      damage.push(`PostgreSQL says of the index ${name}: ${error.message}.`);
    }
  }
  return { damage, notChecked: null };
}
