import { CompiledQuery, type QueryResult } from 'kysely';
import type { Logger } from 'pino';
import { createSemaphore, takeTurn } from '../../lib/semaphore.ts';
import { startThread, type Thread } from '../thread.ts';
import { DatabaseUnavailable } from './database.ts';
import { cache, openConnection, type Query, resultOf, type SqliteConnection, translated } from './sqlite-connection.ts';

/** Each has a cache of its own. */
const mostTransactions = 4;
const pragmas = ['query_only = ON', cache];
let databases = 0;

export type SqliteReader = ReturnType<typeof createReader>;

export function createReader(path: string, busyMs: number, log?: Pick<Logger, 'error'>) {
  const database = (databases += 1);
  const turns = createSemaphore(mostTransactions);
  const idle: number[] = [];
  let connections = 1;
  let ownConnection: SqliteConnection | null = null;

  const runIn = async <Row>(thread: Thread<Rows>, connection: number, { sql, parameters }: Query) => {
    const call = { database, connection, path, pragmas, busyMs, sql, parameters };
    const { columns, rows } = await thread.ask(call).catch((error: unknown) => {
      if (thread.failure()) log?.error({ err: error }, 'a thread of the database has ended; another one is started');
      throw translated(error);
    });
    return resultOf<Row>(columns, rows);
  };
  return {
    /** In a thread, for a statement that may take long. */
    run: <Row>(query: Query): Promise<QueryResult<Row>> => runIn(sharedThread(), 0, query),
    /** In the event loop, for a short one. */
    runHere: <Row>(query: Query): QueryResult<Row> => (ownConnection ??= openConnection(path, pragmas)).run(query),
    async begin() {
      const release = await takeTurn(turns);
      const thread = sharedThread();
      const connection = idle.pop() ?? connections++;
      const end = async () => {
        void runIn(thread, connection, CompiledQuery.raw('rollback')).catch(() => {});
        idle.push(connection);
        release();
      };
      await runIn(thread, connection, CompiledQuery.raw('begin')).catch(async (error: unknown) => {
        await end();
        throw error;
      });
      return { run: <Row>(query: Query) => runIn<Row>(thread, connection, query), commit: end, rollback: end };
    },
    async close() {
      ownConnection?.close();
      ownConnection = null;
      if (shared && !shared.failure()) await shared.ask({ database, sql: null });
    },
  };
}

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** One thread reads for all databases of the process: starting one takes 45 ms of CPU. */
let shared: Thread<Rows> | null = null;

const sharedThread = (): Thread<Rows> => (shared && !shared.failure() ? shared : (shared = startReading()));

export const startReading = (program = new URL('./sqlite-thread.mjs', import.meta.url)): Thread<Rows> =>
  // The rows of a reply are garbage once they are sent. Collecting them early saves 6 MB.
  startThread<Rows>(
    program,
    { resourceLimits: { maxYoungGenerationSizeMb: 2 } },
    (cause) => new DatabaseUnavailable(new Error('A thread of the database has ended', { cause })),
  );
