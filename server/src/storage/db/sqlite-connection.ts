import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { DatabaseReadOnly, DatabaseUnavailable, readOnlyRefusal } from './database.ts';

/** One connection to a SQLite file. Its statements run in the event loop, so each must be short. */
export interface SqliteConnection {
  run<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row>;
  exec(script: string): void;
  readonly isInTransaction: () => boolean;
  close(): void;
}

const mostStatements = 256;

interface Prepared {
  readonly statement: StatementSync;
  columns: readonly string[];
}

export function openConnection(path: string, pragmas: readonly string[]): SqliteConnection {
  const file = new DatabaseSync(path, { timeout: 0 });
  const statements = new Map<string, Prepared>();
  const exec = (script: string) => file.exec(script);
  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= mostStatements) statements.clear();
    const statement = file.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = { statement, columns: namesIn(statement) };
    statements.set(sql, prepared);
    return prepared;
  };
  try {
    for (const pragma of pragmas) exec(`PRAGMA ${pragma}`);
  } catch (error) {
    file.close();
    throw error;
  }
  return {
    run<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> {
      const prepared = prepare(sql);
      const values = parameters as readonly SQLInputValue[];
      if (prepared.columns.length === 0)
        return { rows: [], numAffectedRows: BigInt(prepared.statement.run(...values).changes) };
      const rows = prepared.statement.all(...values) as unknown as readonly (readonly unknown[])[];
      // SQLite learns of a schema that another connection changed when a statement runs, and then compiles it anew.
      if (rows[0] && rows[0].length !== prepared.columns.length) prepared.columns = namesIn(prepared.statement);
      return resultOf(prepared.columns, rows);
    },
    exec,
    isInTransaction: () => file.isTransaction,
    close() {
      if (file.isOpen) file.close();
    },
  };
}

const namesIn = (statement: StatementSync) => statement.columns().map(({ name }) => name);

export function resultOf<Row>(columns: readonly string[], rows: readonly (readonly unknown[])[]): QueryResult<Row> {
  return {
    rows: rows.map((values) => {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at];
      return row as Row;
    }),
  };
}

/** SQLITE_BUSY, whatever its details. */
const busy = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busy;

/** Translates an error of SQLite into one of the port. */
export function translated(error: unknown): unknown {
  if (error instanceof Error && error.message === readOnlyRefusal) return new DatabaseReadOnly(error);
  return isBusy(error) ? new DatabaseUnavailable(error) : error;
}

/**
 * Repeats `work` while another process has the lock, without blocking the event loop. `deadline` is a time of
 * `performance.now()`; after it there is one try.
 * @throws {DatabaseUnavailable} when the lock is not free by then.
 */
export async function untilFree<T>(work: () => T, deadline: number): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw translated(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
  }
}
