import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Shape, Table } from './shape.ts';

const rowsPerStatement = 100;

/**
 * Fills the empty tables of a migrated database. The indexes that are not keys are dropped before and created again
 * afterwards as the migrations made them. There is no `ANALYZE`: the server never runs one either.
 */
export function fillSqlite(path: string, shape: Shape): void {
  using database = new DatabaseSync(path);
  // Nothing has to survive a power loss before the fill is complete.
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -1500000'])
    database.exec(`PRAGMA ${pragma}`);
  database.exec('PRAGMA temp_store = FILE');
  const indexes = database
    .prepare(
      `SELECT name, sql AS definition FROM sqlite_master
      WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('files', 'blobs')`,
    )
    .all() as { name: string; definition: string }[];
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
  for (const table of shape.tables) insertRows(database, table);
  for (const { definition } of indexes) database.exec(definition);
  database.exec('PRAGMA journal_mode = WAL');
}

function insertRows(database: DatabaseSync, table: Table): void {
  let rows: SQLInputValue[][] = [];
  let columns: readonly string[] = [];
  const statementFor = (count: number) => {
    const values = Array.from({ length: count }, () => `(${columns.map(() => '?').join()})`);
    return database.prepare(`INSERT INTO ${table.name} (${columns.join()}) VALUES ${values.join()}`);
  };
  let statement: ReturnType<typeof statementFor> | undefined;
  database.exec('BEGIN');
  for (let at = 0; at < table.count; at += 1) {
    const row = table.rowAt(at);
    if (row === null) continue;
    if (columns.length === 0) columns = Object.keys(row);
    rows.push(Object.values(row));
    if (rows.length < rowsPerStatement) continue;
    statement ??= statementFor(rowsPerStatement);
    statement.run(...rows.flat());
    rows = [];
  }
  if (rows.length > 0) statementFor(rows.length).run(...rows.flat());
  database.exec('COMMIT');
}
