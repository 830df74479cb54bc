import { PostgresAdapter, type SelectQueryBuilder, sql } from 'kysely';
import type { Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/** Others can still insert rows that refer to them. SQLite has one writer at a time. */
export async function lockRows<Table extends keyof Schema, Row>(
  tx: Transaction,
  query: SelectQueryBuilder<Schema, Table, Row>,
): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`SELECT count(*) FROM (${query.forNoKeyUpdate()}) AS locked`.execute(tx);
}
