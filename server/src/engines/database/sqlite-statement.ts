import type { CompiledQuery, QueryResult } from 'kysely';
import type { SqliteCall, SqliteReply, SqliteThread } from './sqlite-thread.ts';

export async function execute<Row>(
  thread: SqliteThread,
  { sql, parameters }: CompiledQuery,
  about: Partial<Pick<SqliteCall, 'waitedMs' | 'inTransaction'>> = {},
): Promise<QueryResult<Row>> {
  return resultOf(await thread.ask({ kind: 'statement', sql, parameters, ...about }));
}

function resultOf<Row>({ columns, rows, changes }: SqliteReply): QueryResult<Row> {
  if (!columns || !rows) return { rows: [], numAffectedRows: BigInt(changes ?? 0) };
  return { rows: rows.map((values) => rowOf(columns, values) as Row) };
}

function rowOf(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at];
  return row;
}
