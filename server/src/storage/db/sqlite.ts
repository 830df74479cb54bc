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
  type TransactionSettings,
} from 'kysely';
import type { Logger } from 'pino';
import { type Database, EmptyDatabase, type OpenSchema } from './database.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { nameOfPrepared } from './prepared.ts';
import type { Schema } from './schema.ts';
import { openConnection, translated, untilFree } from './sqlite-connection.ts';
import { createReader } from './sqlite-reader.ts';
import { openWriter } from './sqlite-writer.ts';
import { withTransactions } from './transactions.ts';

export interface SqliteOptions {
  readonly log?: Pick<Logger, 'error' | 'warn'>;
  /** Milliseconds to wait for the lock of another process. */
  readonly busyMs?: number;
  /** Syncs the log; a test may let it fail. */
  readonly sync?: (log: FileHandle) => Promise<void>;
}

/** In KiB for each connection, negative as SQLite wants it. */
const cache = 'cache_size = -16384';
const pragmasOfReader = ['query_only = ON', cache];
// The writer syncs the log itself, and a thread checkpoints it. What a statement could undo would be written to a new
// file every time.
const pragmasOfWriter = [
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'wal_autocheckpoint = 0',
  'foreign_keys = ON',
  'temp_store = MEMORY',
  cache,
];

export async function openSqlite(
  path: string,
  schema: OpenSchema = 'migrate',
  { log, busyMs = 5_000, sync }: SqliteOptions = {},
): Promise<Database> {
  if (schema === 'as it is' && !existsSync(path))
    throw new EmptyDatabase(`There is no database at ${path} yet. Run 'holdfast migrate', or start the server once.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const reader = createReader({ path, pragmas: pragmasOfReader, busyMs, log });
  const checkpoint = () => reader.run({ sql: 'PRAGMA wal_checkpoint(PASSIVE)', parameters: [] });
  let shortReads: ReturnType<typeof openConnection> | null = null;
  const closeReaders = async () => {
    shortReads?.close();
    shortReads = null;
    await reader.close();
  };
  const writer = await openWriter({ path, pragmas: pragmasOfWriter, busyMs, log, checkpoint, closeReaders, sync });
  const db = withTransactions(
    openKysely({
      run<Row>(query: CompiledQuery) {
        if (!SelectQueryNode.is(query.query) && !/^\s*SELECT\b/i.test(query.sql)) return writer.run<Row>(query);
        if (nameOfPrepared(query.sql) === undefined) return reader.run<Row>(query);
        const run = () => (shortReads ??= openConnection(path, pragmasOfReader)).run<Row>(query);
        return untilFree(run, performance.now() + busyMs).catch((error: unknown) => {
          throw translated(error);
        });
      },
      begin: ({ accessMode }) => (accessMode === 'read only' ? reader.begin() : writer.begin()),
      async close() {
        await writer.close();
        await closeReaders();
      },
    }),
    log,
  );
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

interface Transaction {
  readonly run: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

interface Parts extends Pick<Transaction, 'run'> {
  readonly begin: (settings: TransactionSettings) => Promise<Transaction>;
  readonly close: () => Promise<void>;
}

/** Each caller has one of its own, whether it reads or writes. */
interface Session extends DatabaseConnection {
  transaction?: Transaction;
}

function openKysely({ run, begin, close }: Parts): Database {
  let isClosed = false;
  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      if (isClosed) throw new Error('The database is closed');
      const session: Session = {
        executeQuery: <Row>(query: CompiledQuery) => (session.transaction?.run ?? run)<Row>(query),
        streamQuery() {
          throw new Error('Rows are read in pages here.');
        },
      };
      return session;
    },
    async beginTransaction(session: Session, settings) {
      session.transaction = await begin(settings);
    },
    commitTransaction: async (session: Session) => session.transaction?.commit(),
    rollbackTransaction: async (session: Session) => session.transaction?.rollback(),
    async releaseConnection() {},
    async destroy() {
      isClosed = true;
      await close();
    },
  };
  const dialect = new SqliteDialect({ database: () => Promise.reject(new Error('unreachable: it has a driver')) });
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new ConcurrentSqliteAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => driver,
    },
  });
}

/** If an adapter returns false, Kysely lets in one caller at a time. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Copies a database that others may be changing, as it is at one moment. */
export async function copySqlite(path: string, target: string): Promise<void> {
  using source = new DatabaseSync(path, { readOnly: true });
  // In one step: a copy in several begins again whenever another process has written in between.
  await backup(source, target, { rate: 2 ** 31 - 1 });
}

/** Looks up blobs in a copy of a database, which may be of an earlier version. */
export function openBlobLookUp(path: string): Disposable & { has(id: string): boolean } {
  // Immutable: nothing is written beside it.
  const db = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
  const find = db.prepare('SELECT 1 FROM blobs WHERE id = ?');
  return { has: (id) => find.get(id) !== undefined, [Symbol.dispose]: () => db.close() };
}
