import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Shape, Table } from './shape.ts';

const rowsPerFile = 500_000;

/**
 * Fills the empty tables of a migrated database with `COPY`. The indexes and constraints of the two large tables are
 * dropped before and created again afterwards as the migrations made them, which is several times faster.
 */
export async function fillPostgres(url: string, shape: Shape, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'");
    const restore = await dropIndexes(client);
    for (const table of shape.tables) await copyRows(client, table, join(folder, 'rows'));
    for (const statement of restore) await client.query(statement);
    // As autovacuum does after a while.
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** PostgreSQL writes no log for rows that it copies into a table in the transaction that emptied the table. */
async function copyRows(client: pg.Client, table: Table, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The database runs as another user if this process is root.
  await chmod(folder, 0o755);
  const path = join(folder, `${table.name}.tsv`);
  await client.query('BEGIN');
  if (table.name !== 'accounts') await client.query(`TRUNCATE ${table.name} CASCADE`);
  for (let from = 0; from < table.count; from += rowsPerFile) {
    const columns = await writeRows(path, table, from, Math.min(table.count, from + rowsPerFile));
    if (columns.length > 0) await client.query(`COPY ${table.name} (${columns.join()}) FROM '${path}'`);
  }
  await client.query('COMMIT');
  await rm(folder, { recursive: true });
}

/** Returns the columns in the order of their values; no value has a character that `COPY` would misread. */
async function writeRows(path: string, table: Table, from: number, to: number): Promise<readonly string[]> {
  const file = createWriteStream(path, { mode: 0o644 });
  let columns: readonly string[] = [];
  let text = '';
  for (let at = from; at < to; at += 1) {
    const row = table.rowAt(at);
    if (row === null) continue;
    if (columns.length === 0) columns = Object.keys(row);
    text += `${Object.values(row)
      .map((value) => value ?? '\\N')
      .join('\t')}\n`;
    if (text.length < 1_000_000) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'finish');
  return columns;
}

const large = `ARRAY['files'::regclass, 'blobs'::regclass]`;

/** Returns the statements that create all of it again. */
async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const constraints = await client.query<{ table: string; name: string; definition: string; isReference: boolean }>(`
    SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS definition,
      contype = 'f' AS "isReference"
    FROM pg_constraint
    WHERE (conrelid = ANY(${large}) AND contype IN ('p', 'u', 'f')) OR (contype = 'f' AND confrelid = ANY(${large}))
    ORDER BY contype = 'f' DESC`);
  for (const { table, name } of constraints.rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const indexes = await client.query<{ name: string; definition: string }>(`
    SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index WHERE indrelid = ANY(${large})`);
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
  const added = constraints.rows.map(({ table, name, definition, isReference }) => ({
    isReference,
    statement: `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
  }));
  return [
    ...added.flatMap(({ isReference, statement }) => (isReference ? [] : [statement])),
    ...indexes.rows.map(({ definition }) => definition),
    // A reference needs the key that it refers to.
    ...added.flatMap(({ isReference, statement }) => (isReference ? [statement] : [])),
  ];
}
