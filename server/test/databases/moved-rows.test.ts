/** A move copies the rows of all tables from one engine to another, unchanged. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/storage/db/database.ts';
import { copyAllRows } from '../../src/operator/move/last-step.ts';
import { movedTables, runningNotes } from '../../src/operator/backup/copy-rows.ts';
import { fillTables } from '../harness/fill-tables.ts';
import { openNew, openSqliteFile } from '../harness/open-database.ts';
import { ownColumns } from '../harness/own-columns.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';
const allMoved = Object.keys({ ...movedTables, ...runningNotes });
/** Notes on the move, the migrations, and token buckets, which are full again in the new place. */
const notMoved = ['moves', 'migrations', 'counters'];
const { signal } = new AbortController();

const copy = (from: Database, to: Database, still: string, onProgress = () => {}) =>
  copyAllRows(from, to, still, { signal, onProgress });

const claim = (db: Database) =>
  db
    .insertInto('moves')
    .values({ direction: 'in', stage: 'copying', stage_since: 0, service: 'kelp' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

test('each table of the database is moved, or stays for a reason', async () => {
  await using database = await openNew();
  const columns = await ownColumns(database.db);
  const named = [...allMoved, ...notMoved];
  expect([...new Set(columns.map(({ table }) => table))].toSorted()).toEqual(named.toSorted());
  // Nothing is counted up by the database, and all values are text or numbers in both engines.
  for (const { table, name, dataType, isAutoIncrementing } of columns) {
    expect(isAutoIncrementing, `${table}.${name}`).toBe(false);
    expect(dataType.toLowerCase(), `${table}.${name}`).toMatch(/^(text|bigint|smallint|integer)$/);
  }
});

test(
  'all rows come to the other engine and back unchanged, also after an interruption',
  { timeout: 90_000 },
  async () => {
    await using first = await openSqliteFile();
    await using second = await openNew();
    await using third = await openSqliteFile();
    for (const { db } of [second, third]) await claim(db);
    // More than a page, and exactly one.
    await fillTables(first.db, 9, { accounts: 510, files: 510, blobs: 500 });
    let pages = 0;
    const stop = () => {
      if ((pages += 1) === 3) throw new Error('stopped');
    };
    await expect(copy(first.db, second.db, 'one', stop)).rejects.toThrow('stopped');
    const rows = await copy(first.db, second.db, 'one');
    expect(rows).toBeGreaterThan(0);
    expect(await copy(second.db, third.db, 'one')).toBe(rows);
    for (const table of allMoved) expect(await allRows(third.db, table), table).toEqual(await allRows(first.db, table));
    await expect(sql`DELETE FROM operator_actions`.execute(second.db)).rejects.toThrow('only added to');

    // The same last step copies nothing again, and a later one copies all anew.
    await first.db.deleteFrom('sessions').execute();
    expect(await copy(first.db, second.db, 'one')).toBeNull();
    await copy(first.db, second.db, 'two');
    expect(await allRows(second.db, 'sessions')).toEqual([]);
  },
);

test('a command that went on after another one had completed the move changes nothing', async () => {
  await using first = await openSqliteFile();
  await using second = await openNew();
  await fillTables(first.db, 3);
  await claim(second.db);
  await second.db.updateTable('moves').set({ stage: 'arrived' }).execute();
  await expect(copy(first.db, second.db, 'one')).rejects.toThrow("Another 'holdfast move'");
  await second.db.deleteFrom('moves').execute();
  await expect(copy(first.db, second.db, 'one')).rejects.toThrow("Another 'holdfast move'");
  expect(await allRows(second.db, 'accounts')).toEqual([]);
});

test.runIf(postgres)('a character that PostgreSQL cannot store is replaced', async () => {
  await using first = await openSqliteFile();
  await using second = await openNew();
  await fillTables(first.db, 1);
  await claim(second.db);
  await sql`UPDATE files SET original_name = ${'a\0b'}`.execute(first.db);
  await copy(first.db, second.db, 'one');
  expect(await second.db.selectFrom('files').select('original_name').execute()).toEqual([
    { original_name: 'a\uFFFDb' },
  ]);
});

async function allRows(db: Database, table: string) {
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(db);
  const lines = rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return lines.toSorted();
}
