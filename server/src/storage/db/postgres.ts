import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { minutes, seconds } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { type Database, DatabaseUnavailable, noteExtras, type OpenSchema, type Transaction } from './database.ts';
import { migrate, type Migrating, requireMigrated } from './migrate.ts';
import { codeOf, needsNewPlan, openConnections } from './postgres-connections.ts';
import type { Schema } from './schema.ts';

type Log = Pick<Logger, 'warn'>;

/** Milliseconds for a connection, a statement, a response, and a connection with its first statement. */
const limits = {
  calls: { most: 17, connect: seconds(3), statement: seconds(4), query: seconds(4.5), patience: seconds(4.9) },
  jobs: { most: 3, connect: seconds(5), statement: seconds(30), query: seconds(35), patience: null },
  commands: { most: 20, connect: seconds(5), statement: seconds(30), query: seconds(35), patience: null },
  migration: { most: 2, connect: seconds(5), statement: 0, query: 0, patience: null },
};
/** For a table that is being rewritten, or a row that another transaction holds. */
const longestLock = seconds(3);

type User = keyof typeof limits;

/** A call that reaches a time limit is rejected with `DatabaseUnavailable`. */
export async function openPostgres(
  url: string,
  log: Log,
  { schema = 'migrate', patience = minutes(1) }: { readonly schema?: OpenSchema; readonly patience?: number } = {},
): Promise<Database> {
  if (schema === 'as it is') {
    await using opened = new AsyncDisposableStack();
    const db = opened.adopt(openDatabase(url, 'commands', log), (each) => each.destroy());
    await requireSessions(db);
    await requireMigrated(db);
    opened.move();
    return db;
  }
  return whenItResponds(log, patience, async () => {
    await using migrating = openDatabase(url, 'migration', { warn() {} });
    await requireSessions(migrating);
    await migrate(migrating, migratingWith(log));
    return openDatabase(url, 'calls', log, openDatabase(url, 'jobs', log));
  });
}

async function backendOf(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]?.pid;
}

/** A pooler that lends connections for a transaction gives an idle client's connection, and its settings, to the next one. */
async function requireSessions(db: Database): Promise<void> {
  await db.connection().execute(async (idle) => {
    const own = await backendOf(idle);
    const isLent = await db
      .transaction()
      .execute(async (busy) => (await backendOf(busy)) === own || (await backendOf(idle)) !== own);
    if (!isLent) return;
    throw new OperatorError(
      'it leads to a pooler that shares connections between clients. Set its pool_mode to session.',
    );
  });
}

function openDatabase(url: string, user: User, log: Log, jobs?: Database): Database {
  const { most, connect, query, patience } = limits[user];
  const settings = settingsFor(url, user);
  const pool = openConnections(
    {
      connectionString: url,
      connectionTimeoutMillis: connect,
      keepAlive: true,
      max: most,
      query_timeout: query,
      types: {
        getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
      },
      // A pooler accepts clients at once, and this waits for the connection, of which it opens one after the other.
      onConnect: (client) => client.query(Object.assign({ text: settings }, { query_timeout: connect })),
    },
    log,
    patience,
  );
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  noteExtras(db, { connections: () => pool.counts(), ...(jobs && { forJobs: jobs }) });
  const transaction = db.transaction.bind(db);
  const destroy = db.destroy.bind(db);
  return Object.assign(db, {
    transaction: () => retrying(transaction(), log),
    async destroy() {
      await jobs?.destroy();
      await destroy();
    },
  });
}

/** Poolers refuse these as parameters of the start. No search takes a second core, and compiling takes longer than it saves. */
function settingsFor(url: string, user: User): string {
  const own = new URL(url).searchParams;
  const settings = {
    ...(own.has('options') ? {} : { jit: 'off', max_parallel_workers_per_gather: 0 }),
    statement_timeout: limits[user].statement,
    lock_timeout: user === 'migration' ? 0 : longestLock,
    idle_in_transaction_session_timeout: user === 'migration' ? 0 : seconds(30),
  };
  const statements = Object.entries(settings).filter(([name]) => user === 'migration' || !own.has(name));
  return statements.map(([name, value]) => `SET ${name} = ${value}`).join('; ');
}

const mostTries = 5;
/** serialization_failure and deadlock_detected (PostgreSQL, 13.2 and 13.3.4). */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Runs a transaction again that a conflict, or the migration of a table, has aborted. */
function retrying(builder: ReturnType<Database['transaction']>, log: Log): ReturnType<Database['transaction']> {
  const once = builder.execute.bind(builder);
  return Object.assign(builder, {
    async execute<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries += 1) {
        try {
          return await once(work);
        } catch (error) {
          if (tries === mostTries || !(conflicts.has(codeOf(error)) || needsNewPlan(error))) throw error;
          log.warn({ err: error, tries }, 'a transaction failed because of another one and is retried');
        }
        await wait(Math.random() * seconds(0.02) * 2 ** tries);
      }
    },
  });
}

/** Repeats all of `start`: the server may go away again between two statements, while it starts or restarts. */
async function whenItResponds<T>(log: Log, patience: number, start: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let hasTold = false; ; hasTold = true) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() - startedAt > patience) throw error;
      if (!hasTold) log.warn(`waiting for the database: ${error.message}`);
    }
    await wait(seconds(1));
  }
}

/** An arbitrary number of ours, and the schema: other services may have their own in the database. */
const migrationLock = sql`4829310, hashtext(current_schema())`;

function migratingWith(log: Log): Migrating {
  let hasTold = false;
  return {
    async takeTurn(tx) {
      const { rows } = await sql<{ taken: boolean }>`
        SELECT pg_try_advisory_xact_lock(${migrationLock}) AS taken`.execute(tx);
      if (rows[0]?.taken) return;
      if (!hasTold) log.warn('another process is migrating the database; waiting for it to finish');
      hasTold = true;
      await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(tx);
    },
    async prepare(tx) {
      await sql`CREATE COLLATION IF NOT EXISTS "binary" (provider = libc, locale = 'C')`.execute(tx);
    },
    async runScript(tx, script) {
      await tx.executeQuery(CompiledQuery.raw(script));
    },
  };
}
