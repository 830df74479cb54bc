import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { minutes, seconds } from '../../lib/clock.ts';
import {
  type Database,
  DatabaseUnavailable,
  noteConnections,
  type OpenSchema,
  type Transaction,
  withPatient,
} from './database.ts';
import { migrate, type Migrating, requireMigrated } from './migrate.ts';
import { mayConnectLater, openConnections } from './postgres-connections.ts';
import { withTransactions } from './transactions.ts';
import type { Schema } from './schema.ts';

interface Limits {
  readonly connections: number;
  /** Milliseconds for a free connection, or a new one. */
  readonly connect: number;
  /** Milliseconds after which the server ends a statement, and after which the connection counts as lost. */
  readonly statement: number;
  readonly query: number;
  /** Milliseconds for a connection and the first statement on it. */
  readonly patience: number | null;
}

const limitsOfCalls: Limits = {
  connections: 17,
  connect: seconds(3),
  statement: seconds(4),
  query: seconds(4.5),
  patience: seconds(4.9),
};
/** Their statements may read cold pages of a large table. */
const limitsOfJobs: Limits = {
  connections: 3,
  connect: seconds(5),
  statement: seconds(30),
  query: seconds(35),
  patience: null,
};
/** For a table that is being rewritten, or a row that another transaction holds. */
const longestLock = seconds(3);
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
    return prepared(openDatabase(url, { ...limitsOfJobs, connections: 20 }, log), requireMigrated);
  return whenItResponds(log, patience, async () => {
    await connectOnce(url);
    const migrating = openDatabase(url, null, log);
    await migrate(migrating, migratingWith(log)).finally(() => migrating.destroy());
    const db = openDatabase(url, limitsOfCalls, log);
    return withPatient(db, openDatabase(url, limitsOfJobs, log));
  });
}

/** Without limits for a migration: changing a large table may take long. */
function openDatabase(url: string, limits: Limits | null, log: Pick<Logger, 'warn'>): Database {
  const settings = settingsFor(url, limits);
  const config: pg.PoolConfig = {
    ...connectionTo(url),
    max: limits?.connections ?? 1,
    ...(limits && { query_timeout: limits.query, connectionTimeoutMillis: limits.connect }),
    onConnect: (client) => client.query(Object.assign({ text: settings }, { query_timeout: seconds(1.5) })),
  };
  const pool = openConnections(config, log, limits?.patience);
  const db = withTransactions(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), log);
  noteConnections(db, () => pool.counts());
  return db;
}

const connectionTo = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: limitsOfJobs.connect,
  keepAlive: true,
  types: {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  },
});

/**
 * Sent on each new connection, because poolers refuse them as parameters of the start. One statement uses one core, so
 * that the longest search of one account leaves the others to everybody else, and none is compiled: that takes longer
 * than these statements run. What the URL sets stays, but a migration has no limits.
 */
function settingsFor(url: string, limits: Limits | null): string {
  const own = new URL(url).searchParams;
  const settings = {
    ...(own.has('options') ? {} : { jit: 'off', max_parallel_workers_per_gather: 0 }),
    statement_timeout: limits?.statement ?? 0,
    lock_timeout: limits ? longestLock : 0,
    idle_in_transaction_session_timeout: limits ? seconds(30) : 0,
  };
  const statements = Object.entries(settings).filter(([name]) => limits === null || !own.has(name));
  return statements.map(([name, value]) => `SET ${name} = ${value}`).join('; ');
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

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client(connectionTo(url));
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
