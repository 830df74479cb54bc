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
import type { SqliteReaders } from './sqlite-readers.ts';
import { execute } from './sqlite-statement.ts';
import type { SqliteThread } from './sqlite-thread.ts';
import { createSqliteWrites, type SqliteWrites, type SqliteTransaction } from './sqlite-writes.ts';

export interface SqliteThreads {
  /** The thread that writes; it may be another one after it has died. */
  readonly writer: () => SqliteThread;
  readonly readers: SqliteReaders;
  /** Waits for the end of all threads. */
  readonly close: () => Promise<void>;
}

/**
 * SQLite in threads: writes go to one of them, one transaction after the other, and reads to the others. A reader sees
 * the last commit and waits for no transaction, however much it deletes.
 */
export function createSqliteDialect(threads: SqliteThreads): Dialect {
  const dialect = new SqliteDialect({ database: () => Promise.reject(new Error('unreachable: it has a driver')) });
  return {
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => createDriver(threads),
  };
}

/** If an adapter returns false, Kysely lets in one caller at a time, whether it reads or writes. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * The connection that Kysely sees. It routes each statement to a thread, and all statements of a transaction to the
 * same one.
 */
interface Session extends DatabaseConnection {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

function createDriver({ writer, readers, close }: SqliteThreads): Driver {
  const writes = createSqliteWrites(writer);
  return {
    async init() {},
    acquireConnection: async () => openSession(writes, readers),
    beginTransaction: (session, settings) => (session as Session).begin(settings),
    commitTransaction: (session) => (session as Session).commit(),
    rollbackTransaction: (session) => (session as Session).rollback(),
    async releaseConnection() {},
    destroy: close,
  };
}

function openSession(writes: SqliteWrites, readers: SqliteReaders): Session {
  let transaction: SqliteTransaction | null = null;
  return {
    executeQuery(query) {
      if (transaction) return transaction.run(query);
      if (!SelectQueryNode.is(query.query)) return writes.run(query);
      const arrivedAt = performance.now();
      return readers.use('statement', (thread) => execute(thread, query, { waitedMs: performance.now() - arrivedAt }));
    },
    streamQuery() {
      throw new Error('Rows are read in pages here.');
    },
    async begin({ accessMode }) {
      transaction = accessMode === 'read only' ? await openSnapshot(readers) : await writes.begin();
    },
    commit: async () => transaction?.commit(),
    rollback: async () => transaction?.rollback(),
  };
}

/** A transaction that only reads, in a thread of its own. */
async function openSnapshot(readers: SqliteReaders): Promise<SqliteTransaction> {
  const arrivedAt = performance.now();
  const given = Promise.withResolvers<SqliteThread>();
  const ended = Promise.withResolvers<void>();
  readers
    .use('transaction', (thread) => {
      given.resolve(thread);
      return ended.promise;
    })
    .catch(given.reject);
  const thread = await given.promise;
  const begun = execute(thread, CompiledQuery.raw('begin'), { waitedMs: performance.now() - arrivedAt });
  const end = async () => {
    ended.resolve();
    // Nothing depends on the end of a transaction that only read: the thread takes its next calls after it.
    void execute(thread, CompiledQuery.raw('rollback')).catch(() => {});
  };
  return {
    async run(query) {
      const [, result] = await Promise.all([begun, execute<never>(thread, query, { inTransaction: true })]);
      return result;
    },
    commit: end,
    rollback: end,
  };
}
