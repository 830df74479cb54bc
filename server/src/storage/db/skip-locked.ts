import { PostgresAdapter, type SelectQueryBuilder } from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Schema } from './schema.ts';

export function skipLocked<Table extends keyof Schema, Row>(
  db: Database | Transaction,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate().skipLocked() : query;
}
