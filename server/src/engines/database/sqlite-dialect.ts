import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
  type TransactionSettings,
} from 'kysely';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { SqliteReaders } from './sqlite-readers.ts';
import type { SqliteReply, SqliteThread } from './sqlite-thread.ts';

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

/** Runs `work` with a thread that nobody else uses meanwhile. */
type Lane = <T>(work: (thread: SqliteThread) => Promise<T>) => Promise<T>;

interface Lanes {
  readonly write: Lane;
  /** For one statement. */
  readonly read: Lane;
  /** For a transaction that only reads. */
  readonly readLong: Lane;
}

/**
 * The connection that Kysely sees. It routes each statement to its lane, and all statements of a transaction to one
 * thread.
 */
interface Session extends DatabaseConnection {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  end(): void;
}

function createDriver({ writer, readers, close }: SqliteThreads): Driver {
  const inTurn = createSemaphore(1);
  const lanes: Lanes = {
    write: (work) => inTurn(() => work(writer())),
    read: (work) => readers.use('statement', work),
    readLong: (work) => readers.use('transaction', work),
  };
  return {
    async init() {},
    acquireConnection: async () => openSession(lanes),
    beginTransaction: (session, settings) => (session as Session).begin(settings),
    commitTransaction: (session) => (session as Session).commit(),
    rollbackTransaction: (session) => rollBack(session),
    releaseConnection: async (session) => (session as Session).end(),
    destroy: close,
  };
}

function openSession(lanes: Lanes): Session {
  let held: Held | null = null;
  let onlyReads = false;
  let end = () => {};
  return {
    executeQuery(query) {
      if (held) return held(query);
      const arrivedAt = performance.now();
      const lane = SelectQueryNode.is(query.query) ? lanes.read : lanes.write;
      return lane((thread) => execute(thread, query, { waitedMs: performance.now() - arrivedAt }));
    },
    streamQuery() {
      throw new Error('Rows are read in pages here.');
    },
    async begin({ accessMode }) {
      const arrivedAt = performance.now();
      const begun = Promise.withResolvers<SqliteThread>();
      const ended = Promise.withResolvers<void>();
      onlyReads = accessMode === 'read only';
      void (onlyReads ? lanes.readLong : lanes.write)((thread) => {
        begun.resolve(thread);
        return ended.promise;
      }).catch(begun.reject);
      const thread = await begun.promise;
      end = ended.resolve;
      // A transaction that starts with a read and then writes fails if another process wrote in between, however long
      // it waits. Taking the write lock at once makes it wait instead.
      const start = CompiledQuery.raw(onlyReads ? 'begin' : 'begin immediate');
      held = hold(thread, execute(thread, start, { waitedMs: performance.now() - arrivedAt }));
    },
    async commit() {
      const committed = held?.(CompiledQuery.raw('commit'));
      // Nothing depends on the end of a transaction that only read: the thread takes its next calls after it.
      if (onlyReads) void committed?.catch(() => {});
      else await committed;
    },
    end: () => end(),
  };
}

type Held = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

/**
 * The first statement does not wait for the reply to `begun` before it is sent: the thread refuses it if no transaction
 * was opened, and the caller sees the reason for that.
 */
function hold(thread: SqliteThread, begun: Promise<unknown>): Held {
  return async <Row>(query: CompiledQuery) => {
    const [, result] = await Promise.all([begun, execute<Row>(thread, query, { inTransaction: true })]);
    return result;
  };
}

async function execute<Row>(
  thread: SqliteThread,
  { sql, parameters }: CompiledQuery,
  about: { readonly waitedMs?: number; readonly inTransaction?: boolean },
): Promise<QueryResult<Row>> {
  return resultOf(await thread.ask({ kind: 'statement', sql, parameters, ...about }));
}

function resultOf<Row>({ columns, rows, changes }: SqliteReply): QueryResult<Row> {
  if (!columns || !rows) return { rows: [], numAffectedRows: BigInt(changes ?? 0) };
  return { rows: rows.map((values) => rowOf(columns, values) as Row) };
}

function rowOf(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at];
  return row;
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
