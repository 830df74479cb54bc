import { sql } from 'kysely';
import type { Transaction } from '../../engines/database/database.ts';
import type { backedUp, Row } from './tables.ts';

const rowsPerPage = 1000;

/** Reads all rows of a table in key order, in pages, so that memory use does not grow with the table. */
export async function* readRows(
  tx: Transaction,
  { table, key }: (typeof backedUp)[number],
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ;) {
    signal.throwIfAborted();
    const from = last;
    const after = from ? sql`WHERE (${columns}) > (${sql.join(key.map((column) => from[column]))})` : sql``;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} ${after} ORDER BY ${columns} LIMIT ${sql.lit(rowsPerPage)}`.execute(tx);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < rowsPerPage) return;
  }
}
