/** Sizes of tables and indexes on the disk. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export interface Size {
  readonly table: string;
  /** Null for the rows of the table themselves. */
  readonly index: string | null;
  /** Rows of the table that are in it: a partial index has fewer. */
  readonly rows: number;
  readonly bytes: number;
}

const measured = ['files', 'blobs', 'accounts', 'sessions', 'activity'] as const;

export async function sizesOnPostgres(url: string): Promise<Size[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string; index: string | null; rows: string; bytes: string }>(
      `SELECT relname AS table, NULL AS index, reltuples::bigint AS rows, pg_table_size(oid) AS bytes
      FROM pg_class WHERE oid = ANY($1::regclass[])
      UNION ALL
      SELECT of.relname, own.relname, own.reltuples::bigint, pg_relation_size(own.oid)
      FROM pg_index JOIN pg_class own ON own.oid = indexrelid JOIN pg_class of ON of.oid = indrelid
      WHERE indrelid = ANY($1::regclass[])`,
      [measured],
    );
    return inOrder(rows.map((row) => ({ ...row, rows: Number(row.rows), bytes: Number(row.bytes) })));
  } finally {
    await client.end();
  }
}

export function sizesOnSqlite(path: string): Size[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const bytes = new Map(
    (
      database.prepare('SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate').all() as {
        name: string;
        bytes: number;
      }[]
    ).map((row) => [row.name, row.bytes]),
  );
  const parts = database
    .prepare(`SELECT name, tbl_name AS "table", type, sql FROM sqlite_master WHERE type IN ('table', 'index')`)
    .all() as { name: string; table: string; type: string; sql: string | null }[];
  const ofMeasured = parts.filter(({ table }) => measured.some((name) => name === table));
  return inOrder(
    ofMeasured.map(({ name, table, type, sql }) => {
      const condition = /\bWHERE\b(.+)$/is.exec(type === 'index' ? (sql ?? '') : '')?.[1];
      const counted = database
        .prepare(`SELECT count(*) AS rows FROM ${table} ${condition === undefined ? '' : `WHERE ${condition}`}`)
        .get() as { rows: number };
      return { table, index: type === 'index' ? name : null, rows: counted.rows, bytes: bytes.get(name) ?? 0 };
    }),
  );
}

/** Tables in the order of their list, each before its indexes, the largest index first. */
const inOrder = (sizes: readonly Size[]): Size[] =>
  measured.flatMap((name) =>
    sizes
      .filter(({ table }) => table === name)
      .toSorted((a, b) => Number(a.index !== null) - Number(b.index !== null) || b.bytes - a.bytes),
  );
