import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database, OpenSchema } from './database.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { retryTransactions } from './retry-transactions.ts';
import type { Schema } from './schema.ts';

/** Connects to `url`, checks that it answers, and unless it is wanted as it is, brings the schema up to date. */
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
  // Without a listener a restart of PostgreSQL would end this process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    if (schema === 'as it is') await requireMigrated(db);
    else {
      await sql`CREATE COLLATION IF NOT EXISTS "binary" (provider = libc, locale = 'C')`.execute(db);
      await migrate(db);
    }
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return retryTransactions(db, log);
}
