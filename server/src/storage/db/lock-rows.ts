import { PostgresAdapter, type SelectQueryBuilder, sql } from 'kysely';
import type { Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Locks the rows that `query` selects until the transaction ends, in the order of the query, without fetching them.
 * Other transactions cannot change them in the meantime. They can insert rows that refer to them without waiting,
 * whatever they hold. SQLite has one writer at a time and needs no such lock.
 */
export async function lockRows<Table extends keyof Schema, Row>(
  tx: Transaction,
  query: SelectQueryBuilder<Schema, Table, Row>,
): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`SELECT count(*) FROM (${query.forNoKeyUpdate()}) AS locked`.execute(tx);
}
