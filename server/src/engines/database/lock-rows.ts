import { PostgresAdapter, type SelectQueryBuilder, sql } from 'kysely';
import type { Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Locks the rows that `query` finds until the transaction ends, in the order of the query, and fetches none of them.
 * Meanwhile nobody changes them, and rows that refer to them may be made: who makes one waits for nobody, whatever it
 * holds. SQLite has one writer at a time and needs no such lock.
 */
export async function lockRows<Table extends keyof Schema, Row>(
  tx: Transaction,
  query: SelectQueryBuilder<Schema, Table, Row>,
): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`SELECT count(*) FROM (${query.forNoKeyUpdate()}) AS locked`.execute(tx);
}
