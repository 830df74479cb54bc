import { Worker } from 'node:worker_threads';
import { CompiledQuery, type QueryResult } from 'kysely';
import type { Logger } from 'pino';
import { createSemaphore, takeTurn } from '../../lib/semaphore.ts';
import { DatabaseUnavailable } from './database.ts';
import { type Query, resultOf, translated } from './sqlite-connection.ts';

interface ReaderOptions {
  readonly path: string;
  readonly pragmas: readonly string[];
  readonly busyMs: number;
  readonly log: Pick<Logger, 'error'> | undefined;
}

/** Each has a cache of its own. */
const mostTransactions = 4;
let databases = 0;

/** Reads a database in a thread, for statements that may take long. Each sees the last commit and waits for no writer. */
export function createReader({ log, ...file }: ReaderOptions) {
  databases += 1;
  const database = databases;
  const turns = createSemaphore(mostTransactions);
  const idle: number[] = [];
  let connections = 1;

  const runIn = async <Row>(thread: Thread, connection: number, { sql, parameters }: Query) => {
    const call = { connection: `${database}/${connection}`, ...file, sql, parameters };
    const reply = await thread.post(call).catch((error: unknown) => {
      log?.error({ err: error }, 'a thread of the database has ended; another one is started');
      throw error;
    });
    // Thrown here, where the stack leads to the caller.
    if ('error' in reply) throw translated(Object.assign(new Error(reply.error.message), reply.error));
    return resultOf<Row>(reply.columns, reply.rows);
  };
  return {
    run: <Row>(query: Query): Promise<QueryResult<Row>> => runIn(sharedThread(), 0, query),
    async begin() {
      const release = await takeTurn(turns);
      const thread = sharedThread();
      const connection = idle.pop() ?? connections++;
      const end = async () => {
        // Nothing depends on the end of a transaction that only read: the connection takes its next calls after it.
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
    /** Closes the connections; they open again when they are used. */
    async close() {
      const thread = shared;
      if (!thread || thread.failure()) return;
      const names = Array.from({ length: connections }, (_, at) => `${database}/${at}`);
      await Promise.all(names.map((connection) => thread.post({ connection, ...file, sql: null, parameters: [] })));
    },
  };
}

/** One thread reads for all databases of the process: starting one takes 45 ms of CPU. */
let shared: Thread | null = null;

const sharedThread = (): Thread => {
  if (!shared || shared.failure()) shared = startThread();
  return shared;
};

interface Call extends Omit<ReaderOptions, 'log'> {
  readonly connection: string;
  /** Null closes the connection. */
  readonly sql: string | null;
  readonly parameters: readonly unknown[];
}

type Reply =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly error: { readonly message: string } };

type Thread = ReturnType<typeof startThread>;

/** Starts a thread that answers calls in their order, and keeps the process alive only while it has one to answer. */
export function startThread(program = new URL('./sqlite-thread.mjs', import.meta.url)) {
  // The rows of a reply are garbage once they are sent. Collecting them early saves 6 MB.
  const worker = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 2 } });
  const asked: PromiseWithResolvers<Reply>[] = [];
  let failure: DatabaseUnavailable | null = null;
  const end = (cause?: unknown) => {
    failure ??= new DatabaseUnavailable(new Error('A thread of the database has ended', { cause }));
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  worker.on('error', end).on('exit', () => end());
  worker.on('message', (reply: Reply) => {
    asked.shift()?.resolve(reply);
    if (asked.length === 0) worker.unref();
  });
  worker.unref();
  return {
    failure: () => failure,
    post(call: Call): Promise<Reply> {
      if (failure) return Promise.reject(failure);
      const answer = Promise.withResolvers<Reply>();
      if (asked.push(answer) === 1) worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(call);
      return answer.promise;
    },
  };
}
