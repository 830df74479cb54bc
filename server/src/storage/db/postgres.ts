import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { minutes, seconds } from '../../lib/clock.ts';
import { noteConnections } from './connection-counts.ts';
import { type Database, DatabaseUnavailable, type OpenSchema, type Transaction, withPatient } from './database.ts';
import { migrate, type Migrating, requireMigrated } from './migrate.ts';
import { openConnections } from './postgres-connections.ts';
import { mayConnectLater } from './postgres-errors.ts';
import { withTransactions } from './transactions.ts';
import type { Schema } from './schema.ts';

interface Limits {
  readonly connections: number;
  /** Milliseconds for a free connection, or a new one. */
  readonly connect: number;
  /** Milliseconds after which the server ends a statement, and after which the connection counts as lost. */
  readonly statement: number;
  readonly query: number;
}

/** Of calls: while the server is away or hung, each is refused within five seconds. */
const limitsOfCalls: Limits = { connections: 17, connect: seconds(4), statement: seconds(4), query: seconds(4.5) };
/** Of jobs and commands, whose statements may read cold pages of a large table. */
const limitsOfJobs: Limits = { connections: 3, connect: seconds(5), statement: seconds(30), query: seconds(35) };
/** For a table that is being rewritten, or a row that another transaction holds. */
const longestLock = seconds(3);
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
  if (schema === 'as it is')
    return prepared(databaseOn(settingsFor(url, { ...limitsOfJobs, connections: 20 }), log), requireMigrated);
  return whenItResponds(log, patience, async () => {
    await connectOnce(settingsFor(url, limitsOfJobs));
    const migrating = databaseOn(withoutLimits(url), log);
    await migrate(migrating, migratingWith(log)).finally(() => migrating.destroy());
    const db = databaseOn(settingsFor(url, limitsOfCalls), log);
    return withPatient(db, databaseOn(settingsFor(url, limitsOfJobs), log));
  });
}

const settingsFor = (url: string, { connections, connect, statement, query }: Limits): pg.PoolConfig => ({
  ...withoutLimits(url),
  max: connections,
  connectionTimeoutMillis: connect,
  statement_timeout: statement,
  query_timeout: query,
  lock_timeout: longestLock,
  idle_in_transaction_session_timeout: seconds(30),
});

/** Changing a large table may take long. */
const withoutLimits = (url: string): pg.PoolConfig => ({
  connectionString: url,
  max: 1,
  connectionTimeoutMillis: limitsOfJobs.connect,
  keepAlive: true,
  options: forShortStatements,
  types: {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  },
});

function databaseOn(config: pg.PoolConfig, log: Pick<Logger, 'warn'>): Database {
  const pool = openConnections(config, log);
  const db = withTransactions(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), log);
  noteConnections(db, () => pool.counts());
  return db;
}

async function prepared(db: Database, prepare: (db: Database) => Promise<void>): Promise<Database> {
  try {
    await prepare(db);
    return db;
  } catch (error) {
    // One that is away may respond later.
    if (!(error instanceof DatabaseUnavailable)) await db.destroy();
    throw error;
  }
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

function migratingWith(log: Pick<Logger, 'warn'>): Migrating {
  let hasTold = false;
  return {
    async takeTurn(tx) {
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
