import { type CompiledQuery, PostgresAdapter, sql } from 'kysely';
import { allowChangesToActions, refuseChangesToActions } from '../../engines/database/refuse-changes-to-actions.ts';
import type { Database, Transaction } from '../../engines/database/database.ts';
import type { Schema } from '../../engines/database/schema.ts';
import { movedTables, runningNotes, type TableToMove } from './tables.ts';
import { UnusableMove } from './unusable-move.ts';

export interface CompareRowsOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

export interface CopyRowsOptions extends CompareRowsOptions {
  /** Called first in each transaction that inserts rows; it throws when they must not be inserted any more. */
  readonly guard: (tx: Transaction) => Promise<void>;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Times the columns of any table this is less than the 32,766 parameters that SQLite takes in one statement. */
const rowsPerPage = 500;

/**
 * Copies the rows of all tables to a database that has none of them, or the first ones of each. Each page is a transaction
 * of its own, so a run goes on where an earlier one was killed. Nothing may change in either database meanwhile, from the
 * first run on.
 */
export async function copyRows(
  from: Database,
  to: Database,
  { signal, onProgress, guard }: CopyRowsOptions,
): Promise<number> {
  let copied = 0;
  for (const each of movedTables)
    for await (const rows of pagesOf(from, each, await lastRow(to, each))) {
      signal.throwIfAborted();
      await to.transaction().execute(async (tx) => {
        await guard(tx);
        await insertRows(tx, each.table, rows);
      });
      onProgress((copied += rows.length));
    }
  await to.transaction().execute(async (tx) => {
    await guard(tx);
    for (const table of runningNotes) {
      await sql`DELETE FROM ${sql.table(table)}`.execute(tx);
      const { rows } = await sql<Row>`SELECT * FROM ${sql.table(table)}`.execute(from);
      for (let at = 0; at < rows.length; at += rowsPerPage)
        await insertRows(tx, table, rows.slice(at, at + rowsPerPage));
    }
  });
  return copied;
}

/** Removes what an earlier try has copied while the service was in use again afterwards. */
export async function emptyTables(tx: Transaction): Promise<void> {
  await allowChangesToActions(tx);
  const tables = movedTables.map(({ table }) => table).toReversed();
  if (isPostgres(tx)) await sql`TRUNCATE ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx);
  else for (const table of tables) await sql`DELETE FROM ${sql.table(table)}`.execute(tx);
  await refuseChangesToActions(tx);
}

/**
 * Compares every row of both databases, and returns their number.
 * @throws {UnusableMove} when they differ.
 */
export async function compareRows(
  from: Database,
  to: Database,
  { signal, onProgress }: CompareRowsOptions,
): Promise<number> {
  const change = fitting(to);
  let compared = 0;
  for (const each of movedTables) {
    const copies = pagesOf(to, each);
    for await (const rows of pagesOf(from, each)) {
      signal.throwIfAborted();
      const wanted = rows.map(change);
      const { value: found = [] } = await copies.next();
      for (let at = 0; at < Math.max(wanted.length, found.length); at += 1)
        if (textOf(wanted[at]) !== textOf(found[at])) throw differs(each, wanted[at], found[at]);
      onProgress((compared += rows.length));
    }
    const { value: more } = await copies.next();
    if (more) throw differs(each, undefined, more[0]);
  }
  return compared;
}

/** The databases may order their columns differently. */
const textOf = (row: Row | undefined): string =>
  JSON.stringify(Object.entries(row ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function differs({ table, key }: TableToMove, row: Row | undefined, copy: Row | undefined): UnusableMove {
  const named = row ?? copy ?? {};
  const columns = Object.keys(named).filter((column) => row?.[column] !== copy?.[column]);
  const where = key.map((column) => `${column} ${String(named[column])}`).join(', ');
  return new UnusableMove(
    `The copy of the table ${table} differs from it in ${columns.join(', ')}, first at the row with ${where}.`,
  );
}

async function* pagesOf(db: Database, each: TableToMove, after?: Row): AsyncGenerator<readonly Row[]> {
  const { table, key } = each;
  for (let last = after; ;) {
    const from = last;
    const rest = from ? sql`(${keyOf(each)}) > (${sql.join(key.map((column) => from[column]))})` : sql`1 = 1`;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} WHERE ${rest} ORDER BY ${keyOf(each)} LIMIT ${sql.lit(rowsPerPage)}`.execute(
      db,
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < rowsPerPage) return;
  }
}

/** The order of text depends on the locale of PostgreSQL, unless its bytes are compared. */
const keyOf = ({ key }: TableToMove) => sql.join(key.map((column) => sql`${sql.ref(column)} COLLATE "binary"`));

async function lastRow(db: Database, each: TableToMove): Promise<Row | undefined> {
  const descending = sql.join(each.key.map((column) => sql`${sql.ref(column)} COLLATE "binary" DESC`));
  const { rows } = await sql<Row>`
    SELECT * FROM ${sql.table(each.table)} ORDER BY ${descending} LIMIT 1`.execute(db);
  return rows[0];
}

async function insertRows(db: Transaction, table: keyof Schema, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map(fitting(db)).flatMap((row) => columns.map((column) => row[column]));
  await db.executeQuery({ ...insertOf(db, table, columns, rows.length), parameters: values });
}

/** Compiling a statement takes longer than running it, and all full pages of a table have the same. */
function insertOf(db: Database, table: keyof Schema, columns: readonly string[], rows: number): CompiledQuery {
  const name = `${db.getExecutor().adapter.constructor.name} ${table} ${columns.join()} ${rows}`;
  const known = inserts.get(name);
  if (known) return known;
  const row = sql`(${sql.join(columns.map(() => null))})`;
  const built = sql`
    INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    VALUES ${sql.join(Array.from({ length: rows }, () => row))}`.compile(db);
  if (rows === rowsPerPage) inserts.set(name, built);
  return built;
}

const inserts = new Map<string, CompiledQuery>();

const isPostgres = (db: Database) => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * PostgreSQL stores every text but one with U+0000, which SQLite accepts: names from before they were cleaned may have it.
 */
function fitting(to: Database): (row: Row) => Row {
  if (!isPostgres(to)) return (row) => row;
  return (row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value,
      ]),
    );
}
