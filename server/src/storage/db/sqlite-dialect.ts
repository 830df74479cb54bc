import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
  type TransactionSettings,
} from 'kysely';
import { nameOfPrepared } from './prepared.ts';
import { type SqliteConnection, untilFree } from './sqlite-connection.ts';
import type { ReadingThread, SqliteReaders } from './sqlite-readers.ts';
import type { SqliteTransaction, SqliteWriter } from './sqlite-writer.ts';

export interface SqliteParts {
  readonly writer: SqliteWriter;
  /** Reads in the event loop; it sees the last commit, and nothing of a transaction that is open. */
  readonly reader: () => SqliteConnection;
  readonly readers: SqliteReaders;
  readonly busyMs: number;
  readonly close: () => Promise<void>;
}

/**
 * Routes each statement: writes to the writer, one transaction after the other; prepared reads, which are short, to a
 * connection in the event loop; and all other reads to threads.
 */
export function createSqliteDialect(parts: SqliteParts): Dialect {
  const dialect = new SqliteDialect({ database: () => Promise.reject(new Error('unreachable: it has a driver')) });
  return {
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => createDriver(parts),
  };
}

/** If an adapter returns false, Kysely lets in one caller at a time, whether it reads or writes. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface Session extends DatabaseConnection {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

function createDriver(parts: SqliteParts): Driver {
  let isClosed = false;
  return {
    async init() {},
    async acquireConnection() {
      if (isClosed) throw new Error('The database is closed');
      return openSession(parts);
    },
    beginTransaction: (session, settings) => (session as Session).begin(settings),
    commitTransaction: (session) => (session as Session).commit(),
    rollbackTransaction: (session) => (session as Session).rollback(),
    async releaseConnection() {},
    async destroy() {
      isClosed = true;
      await parts.close();
    },
  };
}

function openSession({ writer, reader, readers, busyMs }: SqliteParts): Session {
  let transaction: SqliteTransaction | null = null;
  return {
    async executeQuery(query) {
      if (transaction) return transaction.run(query);
      if (!SelectQueryNode.is(query.query) && !/^\s*SELECT\b/i.test(query.sql)) return writer.run(query);
      if (nameOfPrepared(query.sql) === undefined) return readers.use('statement', (thread) => thread.run(query));
      return untilFree(() => reader().run(query), performance.now() + busyMs);
    },
    streamQuery() {
      throw new Error('Rows are read in pages here.');
    },
    async begin({ accessMode }) {
      transaction = accessMode === 'read only' ? await openSnapshot(readers) : await writer.begin();
    },
    commit: async () => transaction?.commit(),
    rollback: async () => transaction?.rollback(),
  };
}

/** A transaction that only reads, in a thread of its own. */
async function openSnapshot(readers: SqliteReaders): Promise<SqliteTransaction> {
  const ended = Promise.withResolvers<void>();
  const thread = await new Promise<ReadingThread>((resolve, reject) => {
    readers
      .use('transaction', (given) => {
        resolve(given);
        return ended.promise;
      })
      .catch(reject);
  });
  await thread.run(CompiledQuery.raw('begin')).catch((error: unknown) => {
    ended.resolve();
    throw error;
  });
  const end = async () => {
    // Nothing depends on the end of a transaction that only read: the thread takes its next calls after it.
    void thread.run(CompiledQuery.raw('rollback')).catch(() => {});
    ended.resolve();
  };
  return { run: (query) => thread.run(query), commit: end, rollback: end };
}
