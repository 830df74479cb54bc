import { existsSync } from 'node:fs';
import { mkdir, type FileHandle } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import type { Logger } from 'pino';
import { type Database, EmptyDatabase, type OpenSchema } from './database.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { nameOfPrepared } from './prepared.ts';
import type { Schema } from './schema.ts';
import { translated, untilFree } from './sqlite-connection.ts';
import { createReader, type SqliteReader } from './sqlite-reader.ts';
import { openWriter, type SqliteWriter } from './sqlite-writer.ts';

export interface SqliteOptions {
  readonly log?: Pick<Logger, 'error' | 'warn'> | undefined;
  readonly busyMs?: number;
  readonly sync?: ((log: FileHandle) => Promise<void>) | undefined;
  readonly keepsReserve?: boolean;
}

export async function openSqlite(
  path: string,
  schema: OpenSchema = 'migrate',
  { busyMs = 5_000, ...options }: SqliteOptions = {},
): Promise<Database> {
  if (schema === 'as it is' && !existsSync(path))
    throw new EmptyDatabase(`There is no database at ${path} yet. Run 'holdfast migrate', or start the server once.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const reader = createReader(path, busyMs, options.log);
  const writer = await openWriter(path, reader, { ...options, busyMs });
  const db = openKysely(reader, writer, busyMs);
  try {
    if (schema === 'migrate') {
      // A migration may sort a table of any size, which must not be held in memory.
      writer.runScript('PRAGMA temp_store = FILE');
      await migrate(db, { runScript: async (_tx, script) => writer.runScript(script) });
      writer.runScript('PRAGMA temp_store = MEMORY');
    } else await requireMigrated(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

interface Session extends DatabaseConnection {
  transaction?: Awaited<ReturnType<SqliteWriter['begin']>>;
}

function openKysely(reader: SqliteReader, writer: SqliteWriter, busyMs: number): Database {
  let isClosed = false;
  const run = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    if (!SelectQueryNode.is(query.query) && !/^\s*SELECT\b/i.test(query.sql)) return writer.run<Row>(query);
    if (nameOfPrepared(query.sql) === undefined) return reader.run<Row>(query);
    return untilFree(() => reader.runHere<Row>(query), busyMs).catch((error: unknown) => {
      throw translated(error);
    });
  };
  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      if (isClosed) throw new Error('The database is closed');
      const session: Session = {
        executeQuery: <Row>(query: CompiledQuery) =>
          session.transaction ? session.transaction.run<Row>(query) : run<Row>(query),
        streamQuery() {
          throw new Error('Rows are read in pages here.');
        },
      };
      return session;
    },
    async beginTransaction(session: Session, { accessMode }) {
      session.transaction = await (accessMode === 'read only' ? reader : writer).begin();
    },
    commitTransaction: async (session: Session) => session.transaction?.commit(),
    rollbackTransaction: async (session: Session) => session.transaction?.rollback(),
    async releaseConnection() {},
    async destroy() {
      isClosed = true;
      await writer.close();
      await reader.close();
    },
  };
  const dialect = new SqliteDialect({ database: () => Promise.reject(new Error('unreachable: it has a driver')) });
  return new Kysely<Schema>({
    dialect: Object.assign(dialect, {
      createAdapter: () => new ConcurrentSqliteAdapter(),
      createDriver: () => driver,
    }),
  });
}

/** Otherwise, Kysely lets in one caller at a time. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export async function copySqlite(path: string, target: string): Promise<void> {
  using source = new DatabaseSync(path, { readOnly: true });
  // In one step: a copy in several begins again whenever another process has written in between.
  await backup(source, target, { rate: 2 ** 31 - 1 });
}

export function openBlobLookUp(path: string): Disposable & { has(id: string): boolean } {
  const db = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
  const find = db.prepare('SELECT 1 FROM blobs WHERE id = ?');
  return { has: (id) => find.get(id) !== undefined, [Symbol.dispose]: () => db.close() };
}
