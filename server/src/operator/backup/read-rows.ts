import { sql } from 'kysely';
import type { Transaction } from '../../engines/database/database.ts';
import type { BackedUp, Row } from './tables.ts';

const rowsPerPage = 1000;

/** Reads all rows of a table in key order, in pages, so that memory use does not grow with the table. */
export async function* readRows(
  tx: Transaction,
  { table, key, leftOut }: BackedUp & { readonly leftOut?: string },
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const kept = leftOut === undefined ? sql`1 = 1` : sql`${sql.ref(leftOut)} = 0`;
  for (let last: Row | undefined; ;) {
    signal.throwIfAborted();
    const from = last;
    const after = from ? sql`(${columns}) > (${sql.join(key.map((column) => from[column]))})` : sql`1 = 1`;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} WHERE ${after} AND ${kept} ORDER BY ${columns} LIMIT ${sql.lit(rowsPerPage)}`.execute(
      tx,
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < rowsPerPage) return;
  }
}
