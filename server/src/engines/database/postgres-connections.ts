import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';
import type { ConnectionCounts } from './connection-counts.ts';
import { DatabaseReadOnly, DatabaseUnavailable, readOnlyRefusal } from './database.ts';
import { endsConnection, isCrowded, isLocked, isPassing, needsNewPlan } from './postgres-errors.ts';
import { logSometimes } from '../../lib/log-sometimes.ts';
import { watchServer } from './postgres-watch.ts';
import { forgetPrepared, nameOfPrepared } from './prepared.ts';

/** After this time, a statement or a call without a connection gives reason to check whether the server responds. */
const suspectAfter = 300;
const lookEvery = 100;
/**
 * While the server has no connection left for this process, or its connections wait for locks, calls wait no longer for
 * one of those that it has.
 */
const longestWaitInCrowd = 1_500;
const crowdedFor = 1_000;

export interface Connections extends PostgresPool {
  /**
   * Begins to close connections whose statement has run for longer, although the server ends such statements itself,
   * and to keep a connection open that finds out quickly whether the server responds.
   */
  beginService(longestStatement: number): void;
  counts(): ConnectionCounts;
}

/** A call that waits for a connection, or a connection that a call uses. */
interface Pending {
  readonly has: 'a statement' | 'no connection';
  /** Time at which the wait or the current statement began; Infinity between two statements. */
  since: number;
  fail(reason: Error): void;
}

/**
 * The connections to a PostgreSQL server. While it does not respond, every call is refused at once with
 * `DatabaseUnavailable`, those that already wait included, and no connection from before is used again.
 */
export function openConnections(config: pg.PoolConfig, log: Pick<Logger, 'warn'>): Connections {
  const pending = new Set<Pending>();
  const guards = new WeakMap<pg.PoolClient, Guard>();
  const logLoss = logSometimes(log, 'the database could not complete a call');
  let longestStatement = Infinity;
  let crowdedUntil = 0;

  const unavailable = (cause: unknown) => {
    if (!watch.away) logLoss(cause);
    if (isCrowded(cause) || isLocked(cause)) crowdedUntil = performance.now() + crowdedFor;
    return new DatabaseUnavailable(cause);
  };
  const onConnect = (client: pg.PoolClient) => {
    const guard = guardClient(client, { pending, unavailable });
    guards.set(client, guard);
    client.on('error', (error) => {
      guard.lose(error);
      watch.check();
    });
  };
  let pool = openPool(config, onConnect);
  const isWaiting = () => {
    const now = performance.now();
    return [...pending].some(({ since }) => now - since > suspectAfter);
  };
  const onAway = (reason: Error) => {
    const before = pool;
    pool = openPool(config, onConnect);
    for (const each of pending) each.fail(reason);
    pending.clear();
    before.abandon();
  };
  const watch = watchServer(config, log, { isWaiting, onAway });
  const look = setInterval(() => {
    const now = performance.now();
    if (isWaiting()) watch.check();
    for (const each of pending) {
      const waited = now - each.since;
      const longest =
        each.has === 'a statement' ? longestStatement : now < crowdedUntil ? longestWaitInCrowd : Infinity;
      if (waited > longest) each.fail(new Error(`no response in ${Math.round(waited)} ms`));
    }
  }, lookEvery).unref();

  const acquire = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      const waiter: Pending = {
        has: 'no connection',
        since: performance.now(),
        fail(reason) {
          pending.delete(waiter);
          reject(unavailable(reason));
        },
      };
      pending.add(waiter);
      pool.connect().then(
        (client) => (pending.delete(waiter) ? resolve(client) : client.release()),
        (error: unknown) => {
          pending.delete(waiter);
          watch.check();
          reject(unavailable(error));
        },
      );
    });
  return {
    options: {},
    async connect() {
      if (watch.away) throw unavailable(watch.away);
      const client = await acquire();
      const guard = guards.get(client);
      if (!guard) throw new Error('unreachable: every new connection gets a guard');
      return guard.lend();
    },
    beginService(ms) {
      longestStatement = ms;
      watch.check();
    },
    counts: () => pool.counts(),
    async end() {
      clearInterval(look);
      watch.close();
      await pool.end();
    },
  };
}

interface Pool {
  connect(): Promise<pg.PoolClient>;
  counts(): ConnectionCounts;
  /** Closes all connections without waiting for the server. */
  abandon(): void;
  end(): Promise<void>;
}

function openPool(config: pg.PoolConfig, onConnect: (client: pg.PoolClient) => void): Pool {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  // A statement is sent without waiting for the reply to the one before.
  const pool = new pg.Pool({ ...config, stream, pipeline: true });
  // A lost connection is reported by the pool while idle and by the client while in use. Without a listener for each,
  // it would end the process.
  pool.on('error', () => {});
  pool.on('connect', onConnect);
  return {
    connect: () => pool.connect(),
    counts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    abandon() {
      void pool.end().catch(() => {});
      for (const socket of sockets) socket.destroy();
    },
    async end() {
      await pool.end();
      // A hung server does not close its side, and must not keep this process from ending.
      for (const socket of sockets) socket.unref();
    },
  };
}

interface Guard {
  /** Returns the client for one use. */
  lend(): PostgresPoolClient;
  /** The connection is lost. */
  lose(reason: Error): void;
}

interface GuardParts {
  readonly pending: Set<Pending>;
  readonly unavailable: (cause: unknown) => DatabaseUnavailable;
}

/** The driver does not declare it. */
const socketOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

/** A query of several statements has a list of results. */
const lastOf = (results: unknown): unknown => (Array.isArray(results) ? results.at(-1) : results);

/** Translates errors of the connection, and keeps a lost one from being used again. */
function guardClient(client: pg.PoolClient, { pending, unavailable }: GuardParts): Guard {
  let lost: Error | null = null;
  let isReleased = true;
  const giveBack = (destroy: boolean) => {
    if (isReleased) return;
    isReleased = true;
    client.release(destroy);
  };
  const use: Pending = {
    has: 'a statement',
    since: Infinity,
    fail(reason) {
      lost ??= reason;
      giveBack(true);
      // In pipeline mode the driver would wait for the response. Without a connection, the statement is rejected.
      socketOf(client).destroy();
    },
  };
  const begun = { command: 'BEGIN', rowCount: null, rows: [] } as const;
  let isBeginDue = false;
  let underWay = 0;
  /** A transaction begins with its first statement, in the same round trip if that has no parameters. */
  const send = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (text === 'begin') {
      isBeginDue = true;
      return begun;
    }
    if (isBeginDue) {
      isBeginDue = false;
      if (text === 'commit' || text === 'rollback') return begun;
      if (parameters.length === 0) return lastOf(await client.query(`begin; ${text}`));
      // Nothing waits for the reply: without a connection, the statement fails as well.
      client.query('begin').catch(() => {});
    }
    const name = nameOfPrepared(text);
    const values = [...parameters];
    return name === undefined ? client.query(text, values) : client.query({ name, text, values });
  };
  const sendWithPlan = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await send(text, parameters);
    } catch (error) {
      if (!needsNewPlan(error)) throw error;
      // Another process has migrated the table.
      forgetPrepared();
      if (client.getTransactionStatus() !== 'I') throw error;
      return send(text, parameters);
    }
  };
  const run = async <R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    if (lost) throw unavailable(lost);
    underWay += 1;
    if (underWay === 1) use.since = performance.now();
    try {
      return (await sendWithPlan(sql, parameters)) as PostgresQueryResult<R>;
    } catch (error) {
      if (error instanceof Error && endsConnection(error)) lost ??= error;
      if (error instanceof Error && error.message === readOnlyRefusal) throw new DatabaseReadOnly(error);
      throw lost || isPassing(error) ? unavailable(lost ?? error) : error;
    } finally {
      underWay -= 1;
      // The statements of a connection run one after the other.
      use.since = underWay === 0 ? Infinity : performance.now();
    }
  };
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(sql: string | PostgresCursor<R>, parameters: readonly unknown[] = []): unknown {
    if (typeof sql !== 'string') throw new Error('Rows are read in pages here.');
    return run<R>(sql, parameters);
  }
  return {
    lend() {
      isReleased = false;
      isBeginDue = false;
      pending.add(use);
      return {
        query,
        release(destroy = false) {
          pending.delete(use);
          giveBack(destroy || lost !== null);
        },
      };
    },
    lose(reason) {
      lost ??= reason;
    },
  };
}
