import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { isFromLiveServer } from './postgres-errors.ts';

/** A server that does not respond to `SELECT 1` for this long is away. */
const patience = 800;
/** A new connection costs a busy server more: a process, and the check of the password. */
const patienceForConnection = 1_600;
const checkAgainAfter = 500;

export interface ServerWatch {
  /** The reason why the server is away; null while it responds. */
  readonly away: Error | null;
  /** Checks now whether the server responds. While it does not, it is checked twice a second. */
  check(): void;
  close(): void;
}

export interface WatchParts {
  /** Returns whether a call has waited for the server for long. */
  readonly isWaiting: () => boolean;
  readonly onAway: (reason: Error) => void;
}

/**
 * Finds out whether a PostgreSQL server responds at all, on a connection that does nothing else: a slow statement is no
 * reason to refuse all calls, and a hung server reports no error to the calls that wait for it.
 */
export function watchServer(
  config: pg.ClientConfig,
  log: Pick<Logger, 'warn'>,
  { isWaiting, onAway }: WatchParts,
): ServerWatch {
  let monitor: pg.Client | null = null;
  let away: Error | null = null;
  let isChecking = false;
  let isClosed = false;

  const drop = () => {
    void monitor?.end().catch(() => {});
    monitor = null;
  };
  const ask = async () => {
    if (!monitor) {
      const client = new pg.Client({ ...config, stream: idleSocket });
      client.on('error', () => monitor === client && drop());
      monitor = client;
      await inTime(client.connect(), patienceForConnection);
    }
    if (monitor) await inTime(monitor.query('SELECT 1'), patience);
  };
  const problem = async (): Promise<Error | null> => {
    try {
      await ask();
      return null;
    } catch (error) {
      drop();
      if (isFromLiveServer(error)) return null;
      // A response that is only late says nothing while the calls receive theirs.
      if (error instanceof NoResponse && !away && !isWaiting()) return null;
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  const checkUntilItResponds = async () => {
    for (let found = await problem(); found; found = await problem()) {
      if (isClosed) return;
      if (!away) {
        away = found;
        log.warn({ err: found }, 'the database does not respond; calls are refused until it does');
        onAway(found);
      }
      await wait(checkAgainAfter, undefined, { ref: false });
    }
    if (away && !isClosed) log.warn('the database responds again');
    away = null;
  };
  return {
    get away() {
      return away;
    },
    check() {
      if (isChecking || isClosed) return;
      isChecking = true;
      void checkUntilItResponds().finally(() => (isChecking = false));
    },
    close() {
      isClosed = true;
      drop();
    },
  };
}

/** A check alone must not keep the process from ending. */
const idleSocket = () => new Socket().unref();

class NoResponse extends Error {}

async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const giveUp = () => late.reject(new NoResponse(`no response within ${ms} ms`));
  // After a long task the event loop runs timers before it reads responses that have arrived, so it gets a turn to.
  const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
