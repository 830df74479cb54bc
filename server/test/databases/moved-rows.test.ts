/** A move copies the rows of all tables from one engine to another, unchanged. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/engines/database/database.ts';
import { compareRows, copyRows, emptyTables } from '../../src/operator/move/copy-rows.ts';
import { prepareForRows } from '../../src/operator/move/last-step.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { movedTables, notMoved, runningNotes } from '../../src/operator/move/tables.ts';
import { fillTables } from '../harness/fill-tables.ts';
import { openNew, openSqliteFile } from '../harness/open-database.ts';

const guard = async () => {};

const postgres = process.env['TEST_DATABASE'] === 'postgres';

test('each table of the database is moved, or stays for a reason, and is read by its key', async () => {
  await using database = await openNew();
  const tables = await database.db.introspection.getTables();
  const own = tables.filter(({ schema }) => schema === undefined || schema === database.schema);
  const named = [...movedTables.map(({ table }) => table), ...runningNotes, ...notMoved];
  expect(own.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
  // Nothing is counted up by the database, and all values are text or numbers in both engines.
  for (const { name: table, columns } of own)
    for (const { name, dataType, isAutoIncrementing } of columns) {
      expect(isAutoIncrementing, `${table}.${name}`).toBe(false);
      expect(dataType.toLowerCase(), `${table}.${name}`).toMatch(/^(text|bigint|int8|smallint|int2|integer|int4)$/);
    }
  for (const { table, key } of movedTables)
    for (const column of key) {
      const found = own.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
      expect(found?.dataType.toLowerCase(), `${table}.${column}`).toBe('text');
    }
});

test(
  'all rows come to the other engine and back unchanged, also after an interruption',
  { timeout: 120_000 },
  async () => {
    await using first = await openSqliteFile();
    await using second = await openNew();
    await using third = await openSqliteFile();
    // More than a page, and exactly one.
    await fillTables(first.db, 9, { accounts: 620, files: 620, blobs: 500 });
    const signal = new AbortController().signal;
    let pages = 0;
    const stopping = new AbortController();
    const onProgress = () => void ((pages += 1) === 3 && stopping.abort(new Error('killed')));
    await expect(copyRows(first.db, second.db, { signal: stopping.signal, onProgress, guard })).rejects.toThrow(
      'killed',
    );
    const copied = await copyRows(first.db, second.db, { signal, onProgress() {}, guard });
    expect(copied).toBeGreaterThan(0);
    const rows = await compareRows(first.db, second.db, { signal, onProgress() {} });
    await copyRows(second.db, third.db, { signal, onProgress() {}, guard });
    expect(await compareRows(second.db, third.db, { signal, onProgress() {} })).toBe(rows);
    for (const table of [...movedTables.map((each) => each.table), ...runningNotes])
      expect(await allRows(third.db, table), table).toEqual(await allRows(first.db, table));
    await expect(sql`DELETE FROM operator_actions`.execute(second.db)).rejects.toThrow('only added to');

    // What a canceled move has copied is removed by the next one.
    await second.db.transaction().execute(emptyTables);
    for (const { table } of movedTables) expect(await allRows(second.db, table), table).toEqual([]);
    await expect(sql`DELETE FROM operator_actions`.execute(second.db)).rejects.toThrow('only added to');
  },
);

test('a command that went on after another one had completed the copy changes nothing', async () => {
  await using first = await openSqliteFile();
  await using second = await openNew();
  await fillTables(first.db, 3);
  const row = { stage_since: 0, service: 'kelp', still: 'one' } as const;
  await first.db
    .insertInto('moves')
    .values({ ...row, direction: 'out', stage: 'read-only' })
    .execute();
  await second.db
    .insertInto('moves')
    .values({ ...row, still: '', direction: 'in', stage: 'copying' })
    .execute();
  const prepare = () => prepareForRows({ db: first.db, clock: systemClock }, second.db);
  const options = { signal: new AbortController().signal, onProgress() {} };
  const early = await prepare();
  await copyRows(first.db, second.db, { ...options, guard: early });
  // In the place that is in use rows come and go.
  const late = { id: 'zzz', type: 'late', received_at: 1 };
  await first.db.insertInto('payment_events').values(late).execute();
  const change = (still: string, stage: 'copying' | 'arrived') =>
    second.db.updateTable('moves').set({ still, stage }).execute();
  for (const [still, stage] of [
    ['one', 'arrived'],
    ['two', 'copying'],
  ] as const) {
    await change(still, stage);
    await expect(copyRows(first.db, second.db, { ...options, guard: early })).rejects.toThrow('taken over');
    if (stage === 'arrived') await expect(prepare()).rejects.toThrow('taken over');
  }
  await second.db.deleteFrom('moves').execute();
  await expect(copyRows(first.db, second.db, { ...options, guard: early })).rejects.toThrow('taken over');
  await expect(prepare()).rejects.toThrow('taken over');
  expect(await second.db.selectFrom('payment_events').select('id').where('id', '=', late.id).execute()).toEqual([]);
  expect(await second.db.selectFrom('accounts').select('id').execute()).toHaveLength(3);
});

test('a copy that differs is found, whether a row is other, missing or new', async () => {
  await using first = await openSqliteFile();
  await using second = await openNew();
  await fillTables(first.db, 3);
  const options = { signal: new AbortController().signal, onProgress() {}, guard };
  await copyRows(first.db, second.db, options);
  const compared = () => compareRows(first.db, second.db, options);
  const [file] = await second.db.selectFrom('files').selectAll().orderBy('id').execute();
  if (!file) throw new Error('there are three files');
  await second.db.updateTable('files').set({ hits: 7 }).where('id', '=', file.id).execute();
  await expect(compared()).rejects.toThrow(/table files differs from it in hits, first at the row with id files /);
  await second.db.updateTable('files').set({ hits: file.hits }).where('id', '=', file.id).execute();
  await expect(compared()).resolves.toBeGreaterThan(0);
  await second.db.deleteFrom('sessions').execute();
  await expect(compared()).rejects.toThrow(/table sessions differs/);
  await first.db.deleteFrom('sessions').execute();
  await second.db.insertInto('payment_events').values({ id: 'zzz', type: 'new', received_at: 1 }).execute();
  await expect(compared()).rejects.toThrow(/table payment_events differs .* id zzz\.$/);
});

test.runIf(postgres)('a character that PostgreSQL cannot store is replaced', async () => {
  await using first = await openSqliteFile();
  await using second = await openNew();
  await fillTables(first.db, 1);
  await sql`UPDATE files SET original_name = ${'a\0b'}`.execute(first.db);
  const options = { signal: new AbortController().signal, onProgress() {}, guard };
  await copyRows(first.db, second.db, options);
  await compareRows(first.db, second.db, options);
  expect(await second.db.selectFrom('files').select('original_name').execute()).toEqual([
    { original_name: 'a\uFFFDb' },
  ]);
});

test.runIf(postgres)('pages are read by the index of the key', async () => {
  await using database = await openNew();
  await fillTables(database.db, 300);
  await sql`ANALYZE`.execute(database.db);
  const { rows } = await database.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    return sql<{ 'QUERY PLAN': string }>`
      EXPLAIN SELECT * FROM files WHERE (id COLLATE "binary") > (${'files'}) ORDER BY id COLLATE "binary" LIMIT 5`.execute(
      tx,
    );
  });
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using files_pkey[\s\S]*Index Cond/);
});

async function allRows(db: Database, table: string) {
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(db);
  const lines = rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return lines.toSorted();
}
