import { type Expression, PostgresAdapter, type SqlBool, sql } from 'kysely';
import type { Database, Transaction } from './database.ts';

/**
 * A condition that `text` contains `part`, byte for byte. Unlike LIKE, the function of either database compares a long
 * part at each position at once, so no part is much slower than others.
 */
export function containsText(db: Database | Transaction, text: Expression<string>, part: string): Expression<SqlBool> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<SqlBool>`strpos(${text}, ${part}) > 0`
    : sql<SqlBool>`instr(${text}, ${part}) > 0`;
}
