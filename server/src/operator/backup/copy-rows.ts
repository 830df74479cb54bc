import { type CompiledQuery, PostgresAdapter, sql } from 'kysely';
import type { Database, Transaction } from '../../storage/db/database.ts';
import type { CopiedTable } from './tables.ts';

export interface CopyOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

export type Row = Readonly<Record<string, string | number | null>>;

/** Times the columns of any table this is less than the 32,766 parameters that SQLite takes in one statement. */
const rowsPerPage = 500;

/** Copies all rows of `tables`, from one engine to the other too, and returns their number. Nothing may change them. */
export async function copyRows(
  from: Database,
  to: Transaction,
  tables: readonly CopiedTable[],
  { signal, onProgress }: CopyOptions,
): Promise<number> {
  let total = 0;
  for (const each of tables) {
    let fullPage: CompiledQuery | null = null;
    for await (const rows of pagesOf(from, each)) {
      signal.throwIfAborted();
      const columns = Object.keys(rows[0] ?? {});
      // Compiling a statement takes longer than running it.
      const insert: CompiledQuery =
        (rows.length === rowsPerPage && fullPage) || insertOf(to, each, columns, rows.length);
      if (rows.length === rowsPerPage) fullPage = insert;
      const parameters = rows.flatMap((row) => columns.map((column) => fitting(to, row[column] ?? null)));
      await to.executeQuery({ ...insert, parameters });
      onProgress?.((total += rows.length));
    }
  }
  return total;
}

async function* pagesOf(db: Database, { table, key }: CopiedTable): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ;) {
    const from = last;
    const rest = from ? sql`(${columns}) > (${sql.join(key.map((column) => from[column]))})` : sql`1 = 1`;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} WHERE ${rest} ORDER BY ${columns} LIMIT ${sql.lit(rowsPerPage)}`.execute(db);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < rowsPerPage) return;
  }
}

function insertOf(db: Database, { table }: CopiedTable, columns: readonly string[], rows: number): CompiledQuery {
  const row = sql`(${sql.join(columns.map(() => null))})`;
  return sql`
    INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    VALUES ${sql.join(Array.from({ length: rows }, () => row))}`.compile(db);
}

/** PostgreSQL cannot store U+0000, which SQLite accepts: names from before they were cleaned may have it. */
const fitting = (to: Database, value: string | number | null) =>
  typeof value === 'string' && to.getExecutor().adapter instanceof PostgresAdapter
    ? value.replaceAll('\0', '\u{FFFD}')
    : value;
