import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BlobId } from '../blobs/blobs.ts';
import { type Database, isDatabaseFull } from './database.ts';
import { mostReaders, openSqlite } from './sqlite.ts';

async function openDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-sqlite-'));
  const db = await openSqlite(join(folder, 'test.db'));
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const insert = (db: Pick<Database, 'insertInto'>, id: string) =>
  db
    .insertInto('blobs')
    .values({ id: id as BlobId, sha256: id, size: 1, used_by: 0, unused_since: 0, created_at: 0 })
    .execute();

const ids = async (db: Pick<Database, 'selectFrom'>) =>
  (await db.selectFrom('blobs').select('id').orderBy('id').execute()).map(({ id }) => id);

const readOnly = (db: Database, work: () => Promise<void>) =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      const before = await ids(tx);
      await work();
      expect(await ids(tx)).toEqual(before);
      return before;
    });

test('a reader does not wait for a transaction, and sees its rows after the commit', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  await db.transaction().execute(async (tx) => {
    await insert(tx, 'a');
    expect(await ids(tx)).toEqual(['a']);
    expect(await ids(db)).toEqual([]);
    expect(await readOnly(db, async () => {})).toEqual([]);
  });
  expect(await ids(db)).toEqual(['a']);
  expect(await readOnly(db, async () => {})).toEqual(['a']);
});

test('a write during a read-only transaction is invisible in it and visible to the next reader', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  let after: Promise<string[]> = Promise.resolve([]);
  await readOnly(db, async () => {
    await insert(db, 'a');
    after = ids(db);
  });
  expect(await after).toEqual(['a']);
});

test('writers run one after the other, both transactions and single statements', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const seen: string[][] = [];
  const slowly = (id: string) =>
    db.transaction().execute(async (tx) => {
      seen.push(await ids(tx));
      await insert(tx, id);
      seen.push(await ids(tx));
    });
  await Promise.all([slowly('a'), insert(db, 'b'), slowly('c')]);
  expect(seen).toEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']]);
});

test('the statements after a rollback by the database are not committed one by one', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const late = db.transaction().execute(async (tx) => {
    await sql`ROLLBACK`.execute(tx);
    await insert(tx, 'a');
  });
  await expect(late).rejects.toThrow('no transaction is active');
  expect(await ids(db)).toEqual([]);
});

test('a look-up does not wait for transactions that read, however many', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const held = Promise.withResolvers<void>();
  const long = Array.from({ length: mostReaders + 2 }, () => readOnly(db, () => held.promise));
  expect(await ids(db)).toEqual([]);
  held.resolve();
  expect(await Promise.all(long)).toEqual(long.map(() => []));
});

test('the event loop turns while the database works', async () => {
  await using opened = await openDatabase();
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  const count = sql<{ n: number }>`
    SELECT count(*) AS n FROM (WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000000) SELECT n FROM c)`;
  expect((await count.execute(opened.db)).rows).toEqual([{ n: 3_000_000 }]);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(10);
});

test('a failed transaction is rolled back, and the next write works', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const failing = db.transaction().execute(async (tx) => {
    await insert(tx, 'a');
    await insert(tx, 'a');
  });
  await expect(failing).rejects.toThrow(/UNIQUE/);
  await insert(db, 'b');
  expect(await ids(db)).toEqual(['b']);
});

test('a transaction on a full disk fails with that error, and the next one works', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  await sql`PRAGMA max_page_count = 1`.execute(db);
  const tooMuch = db.transaction().execute(async (tx) => {
    for (let at = 0; at < 1_000; at += 1) await insert(tx, `${at}`.repeat(100));
  });
  expect(isDatabaseFull(await tooMuch.catch((error: unknown) => error))).toBe(true);
  expect(await ids(db)).toEqual([]);
  await sql`PRAGMA max_page_count = 100000`.execute(db);
  await insert(db, 'a');
  expect(await ids(db)).toEqual(['a']);
});
