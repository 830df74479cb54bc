import { type SelectQueryBuilder, sql } from 'kysely';
import { type Database, isPostgres, type Transaction } from './database.ts';
import type { Schema } from './schema.ts';

type Query<Table extends keyof Schema, Row> = SelectQueryBuilder<Schema, Table, Row>;

/** Others can still insert rows that refer to them. SQLite has one writer at a time. */
export async function lockRows<Table extends keyof Schema, Row>(tx: Transaction, query: Query<Table, Row>) {
  if (isPostgres(tx)) await sql`SELECT count(*) FROM (${query.forNoKeyUpdate()}) AS locked`.execute(tx);
}

/** Locks the rows that `query` selects but those that another transaction holds, so it never waits. */
export const skipLocked = <Table extends keyof Schema, Row>(db: Database, query: Query<Table, Row>) =>
  isPostgres(db) ? query.forUpdate().skipLocked() : query;
