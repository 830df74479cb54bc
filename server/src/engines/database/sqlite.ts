import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase } from 'kysely';
import { type Database, type OpenSchema, OtherSchema } from './database.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { createTwoConnectionDialect } from './two-connections.ts';
import type { Schema } from './schema.ts';

/** Opens the file at `path`. Unless it is opened as it is, creates it if missing and brings it up to date. */
export async function openSqlite(path: string, schema: OpenSchema = 'migrate'): Promise<Database> {
  if (schema === 'as it is' && !existsSync(path))
    throw new OtherSchema(`There is no database at ${path} yet. Run 'holdfast migrate', or start the server once.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(path, { timeout: 5_000 });
  // FULL also syncs the log at every commit: an acknowledged upload survives a power loss.
  file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  const reading = new DatabaseSync(path, { timeout: 5_000 });
  reading.exec('PRAGMA query_only = ON;');
  for (const each of [file, reading]) each.exec('PRAGMA cache_size = -32768;');
  const db = new Kysely<Schema>({ dialect: createTwoConnectionDialect(shim(file), shim(reading)) });
  try {
    await (schema === 'migrate'
      ? migrate(db, { runScript: async (_tx, script) => file.exec(script) })
      : requireMigrated(db));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

const preparedStatements = 256;

/** Implements the driver interface of Kysely's SQLite dialect with Node's own SQLite; statements are compiled once. */
function shim(file: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, ReturnType<typeof wrap>>();
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      if (prepared.size >= preparedStatements) prepared.clear();
      const statement = wrap(file.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    },
    close: () => file.close(),
  };
}

function wrap(statement: StatementSync) {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
    run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
  };
}
