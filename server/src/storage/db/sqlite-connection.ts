import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { createLru } from '../../lib/lru.ts';
import { DatabaseReadOnly, DatabaseUnavailable, readOnlyRefusal } from './database.ts';

export type Query = Pick<CompiledQuery, 'sql' | 'parameters'>;
export type SqliteConnection = ReturnType<typeof openConnection>;

export const cache = 'cache_size = -16384';

/** Its statements run in the event loop, so each must be short. */
export function openConnection(path: string, pragmas: readonly string[]) {
  const file = new DatabaseSync(path, { timeout: 0 });
  const statements = createLru<string, { readonly statement: StatementSync; columns: readonly string[] }>(256);
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = file.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = { statement, columns: namesIn(statement) };
    statements.set(sql, prepared);
    return prepared;
  };
  try {
    for (const pragma of pragmas) file.exec(`PRAGMA ${pragma}`);
  } catch (error) {
    file.close();
    throw error;
  }
  return {
    run<Row>({ sql, parameters }: Query): QueryResult<Row> {
      const prepared = prepare(sql);
      const values = parameters as readonly SQLInputValue[];
      if (prepared.columns.length === 0)
        return { rows: [], numAffectedRows: BigInt(prepared.statement.run(...values).changes) };
      const rows = prepared.statement.all(...values) as unknown as readonly (readonly unknown[])[];
      // Another connection may have changed the schema.
      if (rows[0] && rows[0].length !== prepared.columns.length) prepared.columns = namesIn(prepared.statement);
      return resultOf(prepared.columns, rows);
    },
    exec: (script: string) => file.exec(script),
    isInTransaction: () => file.isTransaction,
    close: () => file.close(),
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

const codeOf = (error: unknown): number => (error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0);
/** SQLITE_BUSY, whatever its details. */
const isBusy = (error: unknown) => (codeOf(error) & 0xff) === 5;
/** SQLITE_IOERR_FSYNC. */
export const isFailedSync = (error: unknown) => codeOf(error) === 1034;

export function translated(error: unknown): unknown {
  if (error instanceof Error && error.message === readOnlyRefusal) return new DatabaseReadOnly(error);
  return isBusy(error) ? new DatabaseUnavailable(error) : error;
}

export async function untilFree<T>(work: () => T, ms: number): Promise<T> {
  for (const deadline = performance.now() + ms; ;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
  }
}
