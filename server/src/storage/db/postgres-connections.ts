import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { messageOf } from '../../lib/message-of.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { tlsProblem } from '../../lib/tls-problem.ts';
import {
  CommitUnknown,
  type ConnectionCounts,
  DatabaseReadOnly,
  DatabaseUnavailable,
  readOnlyRefusal,
} from './database.ts';
import { forgetPrepared, nameOfPrepared } from './prepared.ts';

export interface Connections extends PostgresPool {
  counts(): ConnectionCounts;
}

/** `patience`: milliseconds for a connection and its first statement. */
export function openConnections(
  config: pg.PoolConfig,
  log: Pick<Logger, 'warn'>,
  patience: number | null = null,
): Connections {
  const pool = new pg.Pool({ ...config, pipeline: true });
  // Otherwise, the loss of a connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const unavailable = (cause: unknown) => {
    log.warn({ err: cause }, 'the database could not complete a call');
    return new DatabaseUnavailable(cause);
  };
  return {
    options: {},
    async connect() {
      const askedAt = performance.now();
      const client = await pool.connect().catch((error: unknown) => {
        throw mayConnectLater(error) ? unavailable(error) : withTlsAdvice(error);
      });
      return lend(client, unavailable, patience && Math.ceil(patience - (performance.now() - askedAt)));
    },
    counts: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => pool.end(),
  };
}

const begun = { command: 'BEGIN', rowCount: null, rows: [] } as const;

function lend(
  client: pg.PoolClient,
  unavailable: (cause: unknown) => DatabaseUnavailable,
  firstWithin: number | null,
): PostgresPoolClient {
  let lost: DatabaseUnavailable | null = null;
  let isBeginDue = false;
  let within = firstWithin;
  const holdWrites = gatherWrites(client);
  const ask = (query: pg.QueryConfig): Promise<unknown> => {
    const timeout = within === null ? {} : { query_timeout: Math.max(1, within) };
    within = null;
    holdWrites();
    return client.query({ ...query, ...timeout });
  };
  /** A transaction begins with its first statement, in the same round trip. */
  const send = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (text === 'begin') {
      isBeginDue = true;
      return begun;
    }
    if (isBeginDue) {
      isBeginDue = false;
      if (text === 'commit' || text === 'rollback') return begun;
      if (parameters.length === 0) {
        const results = await ask({ text: `begin; ${text}` });
        return Array.isArray(results) ? results.at(-1) : results;
      }
      holdWrites();
      // Nothing waits for the reply: without a connection, the statement fails as well.
      client.query('begin').catch(() => {});
    }
    const name = nameOfPrepared(text);
    return ask({ ...(name !== undefined && { name }), text, values: [...parameters] });
  };
  const sendWithPlan = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await send(text, parameters);
    } catch (error) {
      if (!needsNewPlan(error)) throw error;
      forgetPrepared();
      if (client.getTransactionStatus() !== 'I') throw error;
      return send(text, parameters);
    }
  };
  const query = async <R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    if (lost) throw lost;
    try {
      return (await sendWithPlan(text, parameters)) as PostgresQueryResult<R>;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.message === readOnlyRefusal) throw new DatabaseReadOnly(error);
      // An error without a severity is one of the connection.
      const isLost = endsConnection(error) || !('severity' in error);
      if (!isLost && !isPassing(error)) throw error;
      const failure = text === 'commit' ? new CommitUnknown(error) : unavailable(error);
      if (isLost) lost = failure;
      throw failure;
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => client.release(lost !== null) };
}

/** Statements that are sent in one turn of the event loop leave together: each write would wake the server. */
function gatherWrites(client: pg.PoolClient): () => void {
  const { stream } = (client as pg.PoolClient & Pick<pg.Client, 'connection'>).connection;
  let isHeld = false;
  const send = () => {
    isHeld = false;
    stream.uncork();
  };
  return () => {
    if (isHeld) return;
    isHeld = true;
    stream.cork();
    process.nextTick(send);
  };
}

/** The server closes, or has closed, the connection that received this error. */
const closesConnection: ReadonlySet<string> = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction: after a failover this connection leads to a standby
]);

/** The connection still works; the same statement may succeed later. */
const passes: ReadonlySet<string> = new Set([
  '53300', // too_many_connections
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout
]);

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

function endsConnection(error: unknown): boolean {
  const code = codeOf(error);
  // protocol_violation is how a pooler refuses a parameter.
  return (code.startsWith('08') && code !== '08P01') || closesConnection.has(code);
}

const isPassing = (error: unknown): boolean => endsConnection(error) || passes.has(codeOf(error));

export const needsNewPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan');

const network = /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|NOENT)$/;

/** A wrong password, certificate or database needs an operator. */
function mayConnectLater(error: unknown): boolean {
  const code = codeOf(error);
  return isPassing(error) || network.test(code) || (code === '' && !/\bSSL\b/.test(String(error)));
}

function withTlsAdvice(error: unknown): unknown {
  const problem = tlsProblem(error) ?? (/\bSSL\b|no encryption/.test(String(error)) ? messageOf(error) : undefined);
  if (problem === undefined) return error;
  const advice =
    'For TLS, end the URL in ?sslmode=verify-full; DATABASE_CA_FILE, or &sslrootcert=FILE, names a file with the certificate ' +
    'of the server or its CA. Without TLS, end it in ?sslmode=disable';
  return new OperatorError(`${problem}. ${advice}.`, { cause: error });
}
