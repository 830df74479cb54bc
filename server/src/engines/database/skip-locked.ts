import { PostgresAdapter, type SelectQueryBuilder } from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Locks the rows that `query` finds, and passes over those that another transaction holds: a statement that changes
 * them waits for nobody, so it cannot wait in a circle. To be used as its subquery. SQLite has one writer at a time.
 */
export function skipLocked<Table extends keyof Schema, Row>(
  db: Database | Transaction,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate().skipLocked() : query;
}
