import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Logger } from 'pino';
import { DatabaseUnavailable } from './database.ts';
import { resultOf, translated } from './sqlite-connection.ts';

/** Threads that read, each with one connection. A reader sees the last commit and waits for no transaction. */
export interface SqliteReaders {
  /** Runs `work` with a thread that nobody else uses meanwhile, in order of arrival. */
  use<T>(purpose: Purpose, work: (thread: ReadingThread) => Promise<T>): Promise<T>;
  /** Closes the connections; they open again when they are used. */
  close(): Promise<void>;
}

/** A transaction may read for long. */
export type Purpose = 'statement' | 'transaction';

export interface ReadingThread {
  run<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>>;
}

export interface ReaderOptions {
  readonly path: string;
  readonly pragmas: readonly string[];
  readonly busyMs: number;
  readonly log: Pick<Logger, 'error'> | undefined;
  /** Another program, for tests. */
  readonly program?: URL;
}

interface Reader {
  host: Host | null;
  isBusy: boolean;
  readonly serves: readonly Purpose[];
}

/** The first serves single statements only, so that these do not wait for somebody's list. Each starts when it is needed. */
const purposes: readonly (readonly Purpose[])[] = [
  ['statement'],
  ['transaction', 'statement'],
  ['transaction', 'statement'],
];

export function createReaders({ path, pragmas, busyMs, log, program = ownProgram }: ReaderOptions): SqliteReaders {
  const readers = purposes.map((serves): Reader => ({ host: null, isBusy: false, serves }));
  const waiting: Record<Purpose, ((reader: Reader) => void)[]> = { statement: [], transaction: [] };

  const acquire = (purpose: Purpose): Reader | Promise<Reader> => {
    const free = readers.find(({ isBusy, serves }) => !isBusy && serves.includes(purpose));
    if (!free) return new Promise((resolve) => waiting[purpose].push(resolve));
    free.isBusy = true;
    return free;
  };
  /** The reader passes directly to the next caller, so that a newcomer cannot slip in between. */
  const release = (reader: Reader) => {
    const next = reader.serves.map((purpose) => waiting[purpose].shift()).find((each) => each !== undefined);
    if (next) next(reader);
    else reader.isBusy = false;
  };
  const threadOf = (reader: Reader): ReadingThread => {
    if (!reader.host || reader.host.failure) reader.host = takeHost(program);
    const { host } = reader;
    host.onEnd = (failure) =>
      log?.error({ err: failure }, 'a thread of the database has ended; another one is started');
    return {
      async run<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) {
        const reply = await host.post({ path, pragmas, busyMs, sql, parameters });
        // Thrown here, where the stack leads to the caller.
        if ('error' in reply) throw translated(Object.assign(new Error(reply.error.message), reply.error));
        return resultOf<Row>(reply.columns, reply.rows);
      },
    };
  };
  return {
    async use(purpose, work) {
      const reader = await acquire(purpose);
      try {
        return await work(threadOf(reader));
      } finally {
        release(reader);
      }
    },
    async close() {
      const hosts = readers.map((reader) => reader.host).filter((host) => host !== null);
      for (const reader of readers) reader.host = null;
      await Promise.allSettled(
        hosts.map(async (host) => {
          await host.post({ path, pragmas, busyMs, sql: null, parameters: [] });
          if (program === ownProgram) idle.push(host);
        }),
      );
    },
  };
}

interface Call extends Pick<ReaderOptions, 'path' | 'pragmas' | 'busyMs'> {
  /** Null closes the connection. */
  readonly sql: string | null;
  readonly parameters: readonly unknown[];
}

type Reply =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly error: { readonly message: string } };

/** A worker. It keeps the process alive only while it has something to answer. */
interface Host {
  post(call: Call): Promise<Reply>;
  /** Why the worker has ended. */
  readonly failure: Error | null;
  onEnd: (failure: Error) => void;
}

const ownProgram = new URL('./sqlite-thread.mjs', import.meta.url);

/** Workers without a connection. Starting one takes 45 ms of CPU, and a process may open many databases. */
const idle: Host[] = [];

function takeHost(program: URL): Host {
  const host = program === ownProgram ? idle.pop() : undefined;
  if (!host) return startHost(program);
  return host.failure ? takeHost(program) : host;
}

function startHost(program: URL): Host {
  // The rows of a reply are garbage once they are sent. Collecting them early saves 6 MB in each thread.
  const worker = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 2 } });
  const asked: PromiseWithResolvers<Reply>[] = [];
  let failure: Error | null = null;
  const end = (cause?: unknown) => {
    if (failure) return;
    failure = new DatabaseUnavailable(new Error('A thread of the database has ended', { cause }));
    host.onEnd(failure);
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  const host: Host = {
    post(call) {
      if (failure) return Promise.reject(failure);
      const answer = Promise.withResolvers<Reply>();
      if (asked.push(answer) === 1) worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(call);
      return answer.promise;
    },
    get failure() {
      return failure;
    },
    onEnd: () => {},
  };
  worker.on('error', end).on('exit', () => end());
  worker.on('message', (reply: Reply) => {
    asked.shift()?.resolve(reply);
    if (asked.length === 0) worker.unref();
  });
  worker.unref();
  return host;
}
