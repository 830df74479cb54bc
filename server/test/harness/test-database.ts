import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openSqlite } from '../../src/storage/db/sqlite.ts';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export interface TestDatabase extends AsyncDisposable {
  /** The value of DATABASE_URL, or null for the default in the data folder. */
  readonly url: string | null;
}

const isPostgres = () => process.env['TEST_DATABASE'] === 'postgres';

/**
 * A fresh, empty database on the engine of this project of the test run. On PostgreSQL it is a separate schema, which
 * the connections treat as the whole database, because it is faster. PgBouncer refuses the option that names it.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!isPostgres()) return inDataFolder;
  if (process.env['TEST_POOLER']) return createDatabase('template1');
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE SCHEMA ${schema}`);
  return {
    url: `${inject('postgresUrl')}/postgres?options=-c%20search_path%3D${schema}`,
    [Symbol.asyncDispose]: () => administer(`DROP SCHEMA ${schema} CASCADE`),
  };
}

/**
 * A fresh database with the current schema. It is a copy: running all migrations takes four times as long as the rest
 * of a server's start. On PostgreSQL `postgres-server.ts` has made the original; on SQLite
 * `placeMigrated` writes the file.
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  return isPostgres() ? createDatabase('migrated') : inDataFolder;
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // FILE_COPY does not log every page of the copy, but it writes a checkpoint, which is slow on a disk.
  const strategy = memoryFolder() === tmpdir() ? 'WAL_LOG' : 'FILE_COPY';
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${strategy}`);
  return {
    url: `${inject('postgresUrl')}/${name}`,
    [Symbol.asyncDispose]: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Writes a SQLite database with the current schema to `path`, unless there is one already. */
export async function placeMigrated(path: string): Promise<void> {
  migrated ??= migrateFile();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, await migrated, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

const inDataFolder: TestDatabase = { url: null, async [Symbol.asyncDispose]() {} };

/** Bytes of a SQLite database with the current schema, made once in a worker. */
let migrated: Promise<Buffer> | undefined;

async function migrateFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-template-'));
  try {
    const path = join(folder, 'migrated.db');
    const db = await openSqlite(path);
    await db.destroy();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(`${inject('postgresUrl')}/postgres`);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
