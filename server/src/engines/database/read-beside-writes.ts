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
import { createGate } from '../../lib/gate.ts';

/**
 * SQLite on two connections: what changes something goes to `writing`, one transaction after the other, and what only
 * reads goes to `reading`. That sees the last commit and waits for no transaction, however much it deletes.
 */
export function readBesideWrites(writing: SqliteDatabase, reading: SqliteDatabase): Dialect {
  const dialect = new SqliteDialect({ database: writing });
  return {
    createAdapter: () => new TakesTurnsItself(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => createDriver([writing, reading]),
  };
}

/** Of an adapter that says no, Kysely lets one caller in at a time, whether it reads or writes. */
class TakesTurnsItself extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface Lane {
  readonly connection: DatabaseConnection;
  /** One statement or transaction at a time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What Kysely takes for a connection: a statement goes where it belongs, and those of a transaction go to one lane. */
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
  return { connection: await driver.acquireConnection(), inTurn: createGate(1) };
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
      // One that starts by reading and then writes fails when another process wrote in between, however long it waits.
      // Taking the write lock at once makes it wait instead.
      await run(lane.connection, lane === reading ? 'begin' : 'begin immediate');
    },
    end: () => end(),
  };
}

async function run(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement));
}

/** Out of room, SQLite has rolled back by itself: what says so must not hide why. */
async function rollBack(session: DatabaseConnection): Promise<void> {
  await run(session, 'rollback').catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
  });
}
