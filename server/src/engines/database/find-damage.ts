/**
 * Checks the engine's own data. A query for a row uses an index, so a check that reads rows by an index cannot detect
 * that the index is damaged: here the engine compares its indexes with their tables.
 */
import { PostgresAdapter, sql } from 'kysely';
import type { Database } from './database.ts';

export interface Damage {
  readonly kind: 'index' | 'database';
  /** The name of the index or table, or 'database'. */
  readonly subject: string;
  /** A sentence without its full stop. */
  readonly says: string;
}

export interface DamageReport {
  /** One entry for each damaged index or table. */
  readonly damage: readonly Damage[];
  /** The reason why something could not be checked, as a sentence; null if everything was checked. */
  readonly notChecked: string | null;
}

/**
 * `thorough` looks up each row in each index, which takes many times as long. Otherwise SQLite compares the entry
 * counts, and PostgreSQL checks the order within each index.
 */
export function findDamage(db: Database, thorough: boolean, signal: AbortSignal): Promise<DamageReport> {
  return isPostgres(db) ? findOnPostgres(db, thorough, signal) : findOnSqlite(db, thorough, signal);
}

/**
 * Returns up to `most` names shared by more than one row. It reads and sorts the rows themselves, without the indexes.
 */
export async function namesGivenTwice(db: Database, most: number): Promise<{ name: string; files: number }[]> {
  const twice = (table: typeof files) => sql<{ name: string; files: number }>`
    SELECT name, count(*) AS files FROM ${table} GROUP BY name HAVING count(*) > 1 ORDER BY name LIMIT ${most}`;
  if (!isPostgres(db)) return (await twice(sql`files NOT INDEXED`).execute(db)).rows;
  return db.transaction().execute(async (tx) => {
    for (const way of ['indexscan', 'indexonlyscan', 'bitmapscan'])
      await sql.raw(`SET LOCAL enable_${way} = off`).execute(tx);
    await sql`SET LOCAL statement_timeout = 0`.execute(tx);
    return (await twice(files).execute(tx)).rows;
  });
}

const files = sql`files`;

const isPostgres = (db: Database) => db.getExecutor().adapter instanceof PostgresAdapter;

const linesShown = 5;

function inOneLine(messages: readonly string[]): string {
  const lines = messages.flatMap((message) => message.split('\n')).filter((line) => !line.startsWith('***'));
  const more = lines.length > linesShown ? `, and ${lines.length - linesShown} more` : '';
  return lines.slice(0, linesShown).join(', ') + more;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, whatever their details. */
const isCorrupt = (error: unknown): error is Error =>
  error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff);

async function findOnSqlite(db: Database, thorough: boolean, signal: AbortSignal): Promise<DamageReport> {
  const damage = new Map<string, Damage>();
  const add = (found: Damage) => damage.set(found.subject, damage.get(found.subject) ?? found);
  const addMessages = (subject: string, messages: readonly string[]) => {
    const byIndex = Map.groupBy(messages, (message) => /\bindex (\w+)$/.exec(message)?.[1]);
    for (const [index, some] of byIndex)
      if (index === undefined) add({ kind: 'database', subject, says: inOneLine(some) });
      else add({ kind: 'index', subject: index, says: `SQLite says of the index ${index}: ${inOneLine(some)}` });
  };
  const check = async (subject: string, look: () => Promise<void>) => {
    signal.throwIfAborted();
    await look().catch((error: unknown) => {
      if (!isCorrupt(error)) throw error;
      add({ kind: 'database', subject, says: error.message });
    });
  };
  const { rows: tables } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`.execute(db);
  for (const { name } of tables)
    await check(name, async () => {
      for (const each of await shortIndexes(db, name)) add(each);
    });
  if (thorough)
    for (const { name } of tables)
      await check(name, async () => addMessages(name, await pragma(db, `integrity_check('${name}')`)));
  await check('database', async () => addMessages('database', await pragma(db, 'quick_check(100)')));
  return { damage: [...damage.values()], notChecked: null };
}

async function pragma(db: Database, asked: string): Promise<string[]> {
  const { rows } = await sql.raw<Record<string, string>>(`PRAGMA ${asked}`).execute(db);
  return rows.flatMap((row) => Object.values(row)).filter((message) => message !== 'ok');
}

/** Counts in one statement, so that an upload in between makes no difference. */
async function shortIndexes(db: Database, table: string): Promise<Damage[]> {
  const { rows: indexes } = await sql<{ name: string; sql: string | null }>`
    SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ${table} ORDER BY name`.execute(db);
  if (indexes.length === 0) return [];
  const columns = indexes.map(({ name, sql: made }, at) => {
    const condition = / WHERE ([\s\S]+)$/i.exec(made ?? '')?.[1] ?? 'true';
    return (
      `count(*) FILTER (WHERE ${condition}) AS rows${at}, ` +
      `(SELECT count(*) FROM "${table}" INDEXED BY "${name}" WHERE ${condition}) AS entries${at}`
    );
  });
  const counted = sql.raw<Record<string, number>>(`SELECT ${columns.join(', ')} FROM "${table}" NOT INDEXED`);
  const [counts = {}] = (await counted.execute(db)).rows;
  return indexes.flatMap(({ name }, at) => {
    const [rows, entries] = [counts[`rows${at}`], counts[`entries${at}`]];
    const says = `The index ${name} has ${entries} entries for ${rows} rows of the table ${table}`;
    return rows === entries ? [] : [{ kind: 'index' as const, subject: name, says }];
  });
}

/** data_corrupted and index_corrupted. */
const corruptOnPostgres = new Set(['XX001', 'XX002']);
const insufficientPrivilege = '42501';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

async function findOnPostgres(db: Database, thorough: boolean, signal: AbortSignal): Promise<DamageReport> {
  const { rows: extensions } = await sql<{ schema: string }>`
    SELECT nspname AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
    WHERE extname = 'amcheck'`.execute(db);
  const [extension] = extensions;
  if (!extension)
    return {
      damage: [],
      notChecked:
        'The indexes were not checked: the extension amcheck is not there. A superuser can CREATE EXTENSION amcheck.',
    };
  const { rows: indexes } = await sql<{ id: number; name: string; table: string }>`
    SELECT pg_index.indexrelid AS id, index.relname AS name, indexed.relname AS table FROM pg_index
    JOIN pg_class AS index ON index.oid = indexrelid
    JOIN pg_class AS indexed ON indexed.oid = indrelid
    JOIN pg_am ON pg_am.oid = index.relam
    WHERE indexed.relnamespace = current_schema()::regnamespace AND amname = 'btree' AND indisvalid
    ORDER BY index.relname`.execute(db);
  const damage: Damage[] = [];
  for (const { id, name, table } of indexes) {
    signal.throwIfAborted();
    try {
      await db.transaction().execute(async (tx) => {
        await sql`SET LOCAL statement_timeout = 0`.execute(tx);
        await sql`SELECT ${sql.id(extension.schema, 'bt_index_check')}(${id}::oid::regclass, ${thorough})`.execute(tx);
      });
    } catch (error) {
      if (codeOf(error) === insufficientPrivilege)
        return {
          damage,
          notChecked: 'The indexes were not checked: the user of DATABASE_URL may not execute bt_index_check.',
        };
      if (!corruptOnPostgres.has(codeOf(error))) throw error;
      const says = `PostgreSQL says of the index ${name} of the table ${table}: ${(error as Error).message}`;
      damage.push({ kind: 'index', subject: name, says });
    }
  }
  return { damage, notChecked: null };
}
