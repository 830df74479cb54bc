import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SelectQueryNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type TransactionSettings,
} from 'kysely';
import { createSemaphore } from '../../lib/semaphore.ts';

/**
 * SQLite on two connections: writes go to `writing`, one transaction after the other, and reads go to `reading`. A
 * reader sees the last commit and waits for no transaction, however much it deletes.
 */
export function createTwoConnectionDialect(writing: SqliteDatabase, reading: SqliteDatabase): Dialect {
  const dialect = new SqliteDialect({ database: writing });
  return {
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => createDriver([writing, reading]),
  };
}

/** If an adapter returns false, Kysely lets in one caller at a time, whether it reads or writes. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface Lane {
  readonly connection: DatabaseConnection;
  /** Runs one statement or transaction at a time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * The connection that Kysely sees. It routes each statement to its lane, and all statements of a transaction to one
 * lane.
 */
interface Session extends DatabaseConnection {
  begin(settings: TransactionSettings): Promise<void>;
  end(): void;
}

function createDriver(databases: readonly [SqliteDatabase, SqliteDatabase]): Driver {
  let lanes: readonly [Lane, Lane];
  return {
    async init() {
      const [writing, reading] = databases;
      lanes = [await openLane(writing), await openLane(reading)];
    },
    acquireConnection: async () => openSession(...lanes),
    beginTransaction: (session, settings) => (session as Session).begin(settings),
    commitTransaction: (session) => run(session, 'commit'),
    rollbackTransaction: (session) => rollBack(session),
    releaseConnection: async (session) => (session as Session).end(),
    async destroy() {
      for (const database of databases.toReversed()) database.close();
    },
  };
}

async function openLane(database: SqliteDatabase): Promise<Lane> {
  const driver = new SqliteDialect({ database }).createDriver();
  await driver.init();
  return { connection: await driver.acquireConnection(), inTurn: createSemaphore(1) };
}

function openSession(writing: Lane, reading: Lane): Session {
  let held: Lane | null = null;
  let end = () => {};
  return {
    executeQuery(query) {
      if (held) return held.connection.executeQuery(query);
      const { connection, inTurn } = SelectQueryNode.is(query.query) ? reading : writing;
      return inTurn(() => connection.executeQuery(query));
    },
    streamQuery() {
      throw new Error('Rows are read in pages here.');
    },
    async begin({ accessMode }) {
      const lane = accessMode === 'read only' ? reading : writing;
      const begun = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      void lane.inTurn(() => {
        begun.resolve();
        return ended.promise;
      });
      await begun.promise;
      [held, end] = [lane, ended.resolve];
      // A transaction that starts with a read and then writes fails if another process wrote in between, however long
      // it waits. Taking the write lock at once makes it wait instead.
      await run(lane.connection, lane === reading ? 'begin' : 'begin immediate');
    },
    end: () => end(),
  };
}

async function run(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement));
}

/** When the disk is full, SQLite has already rolled back. The error that reports this must not hide the cause. */
async function rollBack(session: DatabaseConnection): Promise<void> {
  await run(session, 'rollback').catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
  });
}
