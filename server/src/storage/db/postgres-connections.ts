import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { logSometimes } from '../../lib/log-sometimes.ts';
import { DatabaseReadOnly, DatabaseUnavailable, readOnlyRefusal } from './database.ts';
import type { ConnectionCounts } from './connection-counts.ts';
import { endsConnection, isPassing, mayConnectLater, needsNewPlan } from './postgres-errors.ts';
import { forgetPrepared, nameOfPrepared } from './prepared.ts';

export interface Connections extends PostgresPool {
  counts(): ConnectionCounts;
}

/** A pool whose errors are those of the port, and whose broken connections are not used again. */
export function openConnections(config: pg.PoolConfig, log: Pick<Logger, 'warn'>): Connections {
  // A statement is sent without waiting for the reply to the one before.
  const pool = new pg.Pool({ ...config, pipeline: true });
  // A lost connection is reported by the pool while idle and by the client while in use. Without a listener for each, it
  // would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const logLoss = logSometimes(log, 'the database could not complete a call');
  const unavailable = (cause: unknown) => {
    logLoss(cause);
    return new DatabaseUnavailable(cause);
  };
  return {
    options: {},
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw mayConnectLater(error) ? unavailable(error) : error;
      });
      return lend(client, unavailable);
    },
    counts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    end: () => pool.end(),
  };
}

const begun = { command: 'BEGIN', rowCount: null, rows: [] } as const;

/** A query of several statements has a list of results. */
const lastOf = (results: unknown): unknown => (Array.isArray(results) ? results.at(-1) : results);

/** The driver's own timeout, which has closed the connection. */
const isLate = (error: Error) => error.message === 'Query read timeout';

/** An error without a code of PostgreSQL is one of the connection. */
const isLost = (error: Error) => isLate(error) || endsConnection(error) || !('severity' in error);

function lend(client: pg.PoolClient, unavailable: (cause: unknown) => DatabaseUnavailable): PostgresPoolClient {
  let lost: Error | null = null;
  let isBeginDue = false;
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
      // Another process has migrated the table. A transaction runs again as a whole.
      forgetPrepared();
      if (client.getTransactionStatus() !== 'I') throw error;
      return send(text, parameters);
    }
  };
  const run = async <R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    if (lost) throw unavailable(lost);
    try {
      return (await sendWithPlan(text, parameters)) as PostgresQueryResult<R>;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.message === readOnlyRefusal) throw new DatabaseReadOnly(error);
      if (isLost(error)) lost ??= error;
      throw lost || isPassing(error) ? unavailable(lost ?? error) : error;
    }
  };
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(text: string | PostgresCursor<R>, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('Rows are read in pages here.');
    return run<R>(text, parameters);
  }
  return { query, release: () => client.release(lost !== null) };
}
