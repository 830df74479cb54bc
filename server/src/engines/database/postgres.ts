import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { minutes, seconds } from '../../lib/clock.ts';
import { noteConnections } from './connection-counts.ts';
import { type Database, DatabaseUnavailable, type OpenSchema, type Transaction } from './database.ts';
import { migrate, type Migrating, requireMigrated } from './migrate.ts';
import { type Connections, openConnections } from './postgres-connections.ts';
import { mayConnectLater } from './postgres-errors.ts';
import { withTransactions } from './transactions.ts';
import type { Schema } from './schema.ts';

/** Milliseconds. */
const longestStatement = seconds(30);
/** Of one process. */
const mostConnections = 20;
/** For a free connection, or a new one. */
const longestWait = seconds(5);
/**
 * For a table that is being rewritten, or a row that another transaction holds. Callers expect a response within 2 s,
 * and longer waits for the row of one account would use up the connections that others need (see `waitForRows`).
 */
const longestLock = seconds(1.5);
/**
 * One statement uses one core, so that the longest search of one account leaves the others to everybody else, and none
 * is compiled: that takes longer than these statements run. Options in the URL of the database replace these.
 */
const forShortStatements = '-c max_parallel_workers_per_gather=0 -c jit=off';
/** A server that starts beside its database, such as after a power cut, waits for it. */
const longestStart = minutes(1);

export interface PostgresOptions {
  /** A server migrates and waits for its database to start; a command does neither. */
  readonly schema?: OpenSchema;
  /** Longest wait for the database at the start, in milliseconds. */
  readonly patience?: number;
}

/**
 * Connects to `url`, checks that it responds and, unless it is opened as it is, brings the schema up to date.
 * Statements, locks and connections have time limits; a call that reaches one is rejected with `DatabaseUnavailable`.
 */
export async function openPostgres(
  url: string,
  log: Pick<Logger, 'warn'>,
  { schema = 'migrate', patience = longestStart }: PostgresOptions = {},
): Promise<Database> {
  const config = settingsFor(url);
  if (schema === 'as it is') return open(config, log, requireMigrated);
  return whenItResponds(log, patience, async () => {
    await connectOnce(config);
    return open(config, log, (db) => migrate(db, migrating(log)));
  });
}

const settingsFor = (url: string): pg.PoolConfig => ({
  connectionString: url,
  max: mostConnections,
  connectionTimeoutMillis: longestWait,
  keepAlive: true,
  statement_timeout: longestStatement,
  lock_timeout: longestLock,
  idle_in_transaction_session_timeout: seconds(30),
  options: forShortStatements,
  types: {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  },
});

function databaseOn(pool: Connections, log: Pick<Logger, 'warn'>): Database {
  const db = withTransactions(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), log);
  noteConnections(db, () => pool.counts());
  return db;
}

async function open(
  config: pg.PoolConfig,
  log: Pick<Logger, 'warn'>,
  prepare: (db: Database) => Promise<void>,
): Promise<Database> {
  const pool = openConnections(config, log);
  const db = databaseOn(pool, log);
  try {
    await prepare(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  // Not before: changing a large table may take long. The server ends a statement first, unless it is hung.
  pool.beginService(longestStatement + seconds(5));
  return db;
}

const tryAgainAfter = seconds(1);
const logEvery = seconds(10);

/**
 * Repeats `start` until the server has responded to all of it, and rejects with the reason if it does not in time. The
 * server may go away again between two statements, while it starts or restarts.
 */
async function whenItResponds<T>(log: Pick<Logger, 'warn'>, patience: number, start: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let loggedAt = -Infinity; ;) {
    try {
      return await start();
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof DatabaseUnavailable) || now - startedAt > patience) throw error;
      if (now - loggedAt >= logEvery) {
        log.warn(`waiting for the database: ${error.message}`);
        loggedAt = now;
      }
    }
    await wait(tryAgainAfter);
  }
}

async function connectOnce(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    throw mayConnectLater(error) ? new DatabaseUnavailable(error) : error;
  }
}

/**
 * The advisory lock that keeps two starting nodes from migrating at once. Its key is an arbitrary number of ours and
 * the schema, because other services may have their own schemas in the same database.
 */
const migrationLock = sql`4829310, hashtext(current_schema())`;

function migrating(log: Pick<Logger, 'warn'>): Migrating {
  let hasTold = false;
  return {
    async takeTurn(tx) {
      // Set first: changing a large table, and waiting for its writers, may take longer than the statement timeout in
      // service.
      await sql`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(tx);
      if (await tryLock(tx)) return;
      // Each migration waits again, but it is logged only once.
      if (!hasTold) log.warn('another process is migrating the database; waiting for it to finish');
      hasTold = true;
      await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(tx);
    },
    async prepare(tx) {
      await sql`CREATE COLLATION IF NOT EXISTS "binary" (provider = libc, locale = 'C')`.execute(tx);
    },
    // Sends many statements as one simple query.
    async runScript(tx, script) {
      await tx.executeQuery(CompiledQuery.raw(script));
    },
  };
}

async function tryLock(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(${migrationLock}) AS taken`.execute(tx);
  return rows[0]?.taken ?? false;
}
