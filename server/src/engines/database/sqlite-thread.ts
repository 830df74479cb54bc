import { MessageChannel, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { DatabaseReadOnly, DatabaseUnavailable, readOnlyRefusal } from './database.ts';

/** A request to a thread, as `sqlite-thread.mjs` reads it. */
export interface SqliteCall {
  /** A statement, a script of several statements without parameters, or a commit that rolls back if it fails. */
  readonly kind: 'statement' | 'script' | 'commit' | 'close';
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The time that the call has waited for its turn, in milliseconds; the thread waits less for a lock. */
  readonly waitedMs?: number;
  /** The call is refused if no transaction is open. */
  readonly inTransaction?: boolean;
}

export interface SqliteReply {
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly changes?: number;
}

/** One connection to a SQLite file, in a worker thread. Calls are answered in their order. */
export interface SqliteThread {
  /**
   * @throws {DatabaseUnavailable} when another process holds the lock for longer than the busy timeout.
   * @throws the error of SQLite, with its `code` and `errcode`, or an error that says that the thread has ended.
   */
  ask(call: SqliteCall): Promise<SqliteReply>;
  /** Closes the file. */
  close(): Promise<void>;
  readonly hasEnded: () => boolean;
}

export interface SqliteThreadOptions {
  readonly path: string;
  /** Executed when the file is opened. */
  readonly pragmas: readonly string[];
  readonly log: Pick<Logger, 'error'> | undefined;
  /** Milliseconds that a statement waits for the lock of another process. */
  readonly busyMs: number;
  /** Another program, for tests. */
  readonly program?: URL;
}

const defaultProgram = new URL('./sqlite-thread.mjs', import.meta.url);

interface ReplyOrError extends SqliteReply {
  readonly error?: {
    readonly message: string;
    readonly errcode?: number;
    /** True if the call needed a transaction and none is open any more. */
    readonly endedTransaction?: boolean;
  };
}

/** The first call of a connection. The file is opened by the call after it. */
type OpenCall = { readonly kind: 'open' } & Pick<SqliteThreadOptions, 'path' | 'pragmas' | 'busyMs'>;

/**
 * The thread keeps the process alive only while it has something to answer. Its calls in one turn of the event loop
 * are one message. When it dies, its calls fail and the log says so; it must be replaced.
 */
export function startSqliteThread({ log, program, path, pragmas, busyMs }: SqliteThreadOptions): SqliteThread {
  const host = (program ? undefined : takeIdle()) ?? startHost(program ?? defaultProgram);
  let isOpen = false;
  let isClosing = false;
  host.onEnd = (failure) => {
    if (!isClosing) log?.error({ err: failure }, 'a database thread has ended; the next call starts another');
  };
  return {
    async ask(call) {
      // Otherwise the file would be opened again, in a thread that may have another one by now.
      if (isClosing) throw new Error('The database is closed');
      if (!isOpen) void host.post({ kind: 'open', path, pragmas, busyMs }).catch(() => {});
      isOpen = true;
      const reply = await host.post(call);
      // Thrown here, where the stack leads to the caller.
      if (reply.error) throw errorOf(reply.error);
      return reply;
    },
    async close() {
      if (isClosing || host.failure()) return;
      isClosing = true;
      await host.post({ kind: 'close', sql: '', parameters: [] }).catch(() => {});
      if (!program && !host.failure()) idle.push(host);
    },
    hasEnded: () => host.failure() !== null,
  };
}

/** A worker with its port; it serves one connection after the other. */
interface Host {
  post(call: SqliteCall | OpenCall): Promise<ReplyOrError>;
  /** The reason why the worker has ended. */
  readonly failure: () => Error | null;
  onEnd: (failure: Error) => void;
}

/** Workers whose connection was closed. Starting one takes 45 ms of CPU, and a process may open many databases. */
const idle: Host[] = [];

function takeIdle(): Host | undefined {
  const host = idle.pop();
  return host?.failure() ? takeIdle() : host;
}

function startHost(program: URL): Host {
  const { port1: port, port2 } = new MessageChannel();
  /** The number of messages sent; the thread sleeps until it changes. */
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(program, {
    workerData: { port: port2, sent },
    transferList: [port2],
    // The rows of a reply are garbage once they are sent. Collecting them early saves 6 MB in each thread.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  const asked: PromiseWithResolvers<ReplyOrError>[] = [];
  let gathering: (SqliteCall | OpenCall)[] = [];
  let failure: Error | null = null;
  const host: Host = {
    post(call) {
      if (failure) return Promise.reject(failure);
      if (gathering.push(call) === 1) queueMicrotask(send);
      const answer = Promise.withResolvers<ReplyOrError>();
      if (asked.push(answer) === 1) port.ref();
      return answer.promise;
    },
    failure: () => failure,
    onEnd: () => {},
  };
  const send = (): void => {
    port.postMessage(gathering);
    gathering = [];
    Atomics.add(sent, 0, 1);
    Atomics.notify(sent, 0);
  };
  const end = (cause?: unknown): void => {
    if (failure) return;
    failure = new DatabaseUnavailable(new Error('A database thread has ended', { cause }));
    port.close();
    host.onEnd(failure);
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  worker.on('error', end).on('exit', () => end());
  port.on('message', (replies: readonly ReplyOrError[]) => {
    for (const reply of replies) asked.shift()?.resolve(reply);
    if (asked.length === 0) port.unref();
  });
  worker.unref();
  port.unref();
  return host;
}

/** Returns whether SQLite has rolled back the whole transaction in which this error occurred. */
export const hasEndedTransaction = (error: unknown): boolean =>
  error instanceof Error && 'endedTransaction' in error && error.endedTransaction === true;

/** SQLITE_BUSY, whatever its details. */
const busy = 5;

function errorOf(reported: NonNullable<ReplyOrError['error']>): Error {
  const error = Object.assign(new Error(reported.message), reported);
  if (reported.message === readOnlyRefusal) return new DatabaseReadOnly(error);
  return ((reported.errcode ?? 0) & 0xff) === busy ? new DatabaseUnavailable(error) : error;
}
