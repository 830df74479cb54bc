import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database, OpenSchema, Transaction } from './database.ts';
import { migrate, type Migrating, requireMigrated } from './migrate.ts';
import { retryTransactions } from './retry-transactions.ts';
import type { Schema } from './schema.ts';

/** Connects to `url`, checks that it responds and, unless it is opened as it is, brings the schema up to date. */
export async function openPostgres(
  url: string,
  log: Pick<Logger, 'warn'>,
  schema: OpenSchema = 'migrate',
): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // Without a listener, a restart of PostgreSQL would end this process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  const db = retryTransactions(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), log);
  try {
    if (schema === 'as it is') await requireMigrated(db);
    else await migrate(db, migrating(log));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
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
      await sql`SET LOCAL statement_timeout = 0`.execute(tx);
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
