import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import type { BlobId } from '../blobs/blobs.ts';
import { openSqlite } from './sqlite.ts';

interface Folder extends AsyncDisposable {
  readonly path: string;
}

async function openFolder(): Promise<Folder> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-sqlite-'));
  return {
    path: join(folder, 'deeper', 'test.db'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function migrations(db: Database): Promise<object[]> {
  return db.selectFrom('migrations').selectAll().orderBy('name').execute();
}

const scripts = (await readdir(new URL('./migrations/', import.meta.url))).toSorted();

const blob = (id: string) => ({ id: id as BlobId, sha256: id, size: 1, used_by: 1, unused_since: null, created_at: 0 });

test('migrations are applied once, in order, also when the database is opened again', async () => {
  await using folder = await openFolder();
  const first = await openSqlite(folder.path);
  const applied = await migrations(first);
  expect(applied.length).toBeGreaterThan(0);
  expect(applied).toMatchObject(scripts.map((name) => ({ name })));
  await first.insertInto('blobs').values(blob('a')).execute();
  await first.destroy();
  const second = await openSqlite(folder.path);
  expect(await migrations(second)).toEqual(applied);
  expect(await second.selectFrom('blobs').select('id').execute()).toEqual([{ id: 'a' }]);
  await second.destroy();
});

test('processes that open a new database at once all find it migrated', async () => {
  await using folder = await openFolder();
  const opened = await Promise.all(Array.from({ length: 6 }, () => openSqlite(folder.path)));
  for (const db of opened) expect(await migrations(db)).toHaveLength(scripts.length);
  for (const db of opened) await db.destroy();
});

test('a database of a newer program is refused with one sentence', async () => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path);
  await db.insertInto('migrations').values({ name: '9999-from-the-future.sql', applied_at: 1 }).execute();
  await db.destroy();
  await expect(openSqlite(folder.path)).rejects.toThrow(
    'The database is newer than this program (it has 9999-from-the-future.sql). Install the newer version again.',
  );
});

test('references are checked', async () => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path);
  const orphan = db
    .insertInto('sessions')
    .values({ token_hash: 'a', id: 'a', account_id: 'nobody', agent: '', address: '', created_at: 0, last_seen_at: 0 });
  await expect(orphan.execute()).rejects.toThrow(/FOREIGN KEY/);
  await db.destroy();
});

test('the use count of a blob cannot become negative', async () => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path);
  await db.insertInto('blobs').values(blob('a')).execute();
  const negative = db.updateTable('blobs').set({ used_by: -1 });
  await expect(negative.execute()).rejects.toThrow(/CHECK/);
  await db.destroy();
});

test('sizes are exact up to the largest safe integer', async () => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path);
  const size = Number.MAX_SAFE_INTEGER;
  await db
    .insertInto('blobs')
    .values({ ...blob('a'), size })
    .execute();
  expect(await db.selectFrom('blobs').select('size').executeTakeFirst()).toEqual({ size });
  await db.destroy();
});

test.each(['SELECT 1 AS one', '\n  select 1 AS one'])('%j does not wait for a transaction', async (query) => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path);
  await db.transaction().execute(async () => {
    expect((await sql.raw(query).execute(db)).rows).toEqual([{ one: 1 }]);
  });
  await db.destroy();
});
