import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BlobId } from '../blobs/blobs.ts';
import { CommitUnknown, type Database, DatabaseUnavailable, isDatabaseFull } from './database.ts';
import { prepared } from './prepared.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

async function openDatabase(options: SqliteOptions = {}) {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-sqlite-'));
  const path = join(folder, 'test.db');
  const db = await openSqlite(path, 'migrate', options);
  return {
    db,
    path,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const insertion = (db: Database, id: string) =>
  db.insertInto('blobs').values({ id: id as BlobId, sha256: id, size: 1, used_by: 0, unused_since: 0, created_at: 0 });

const insert = (db: Database, id: string) => insertion(db, id).execute();

const ids = async (db: Database) =>
  (await db.selectFrom('blobs').select('id').orderBy('id').execute()).map(({ id }) => id);
/** By the connection in the event loop. */
const idsAtOnce = async (db: Database) =>
  (await db.selectFrom('blobs').select('id').orderBy('id').modifyEnd(prepared).execute()).map(({ id }) => id);

const readOnly = (db: Database, work: () => Promise<unknown>) =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      const before = await ids(tx);
      await work();
      expect(await ids(tx)).toEqual(before);
      return before;
    });

/** Syncs of the log that a test lets end, while it holds them. */
function holdSyncs() {
  const begun: PromiseWithResolvers<void>[] = [];
  const syncs = {
    begun,
    isOn: false,
    async sync() {
      if (!syncs.isOn) return;
      const held = Promise.withResolvers<void>();
      begun.push(held);
      await held.promise;
    },
  };
  return syncs;
}

test('readers do not wait for a transaction, and see its rows after the commit', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  await db.transaction().execute(async (tx) => {
    await insert(tx, 'a');
    expect(await ids(tx)).toEqual(['a']);
    for (const read of [ids, idsAtOnce]) expect(await read(db)).toEqual([]);
    expect(await readOnly(db, async () => {})).toEqual([]);
  });
  for (const read of [ids, idsAtOnce]) expect(await read(db)).toEqual(['a']);
});

test('writers run one after the other, both transactions and single statements', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const seen: string[][] = [];
  const slowly = (id: string) =>
    db.transaction().execute(async (tx) => {
      seen.push(await ids(tx));
      await new Promise((resolve) => setImmediate(resolve));
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

test('a statement that comes after the end of its transaction is not part of the next one', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const open = Promise.withResolvers<unknown>();
  let next: Promise<unknown> | undefined;
  const failing = db.transaction().execute(async (tx) => {
    next = db.transaction().execute(async (other) => {
      await insert(other, 'next');
      await open.promise;
    });
    await tx.getExecutor().provideConnection(async (connection) => {
      // It is sent by the time the transaction has ended and the next one has begun.
      const late = () => connection.executeQuery(insertion(db, 'late').compile());
      setImmediate(() => setImmediate(() => void late().then(open.resolve, open.resolve)));
    });
    throw new Error('the transaction fails');
  });
  await expect(failing).rejects.toThrow('the transaction fails');
  await next;
  expect(await ids(db)).toEqual(['next']);
});

test('a failed or full transaction is rolled back, and the next write works', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const twice = db.transaction().execute(async (tx) => {
    await insert(tx, 'a');
    await insert(tx, 'a');
  });
  await expect(twice).rejects.toThrow(/UNIQUE/);
  await sql`PRAGMA max_page_count = 1`.execute(db);
  const tooMuch = db.transaction().execute(async (tx) => {
    for (let at = 0; at < 1_000; at += 1) await insert(tx, `${at}`.repeat(100));
  });
  expect(isDatabaseFull(await tooMuch.catch((error: unknown) => error))).toBe(true);
  await sql`PRAGMA max_page_count = 100000`.execute(db);
  await insert(db, 'b');
  expect(await ids(db)).toEqual(['b']);
});

test('a write resolves after a sync that began after its commit, and writes share syncs', async () => {
  const syncs = holdSyncs();
  const { begun } = syncs;
  await using opened = await openDatabase({ sync: () => syncs.sync() });
  syncs.isOn = true;
  const { db } = opened;
  const done: string[] = [];
  const write = (id: string) => insert(db, id).then(() => done.push(id));
  const first = write('a');
  await expect.poll(() => begun.length).toBe(1);
  const others = [write('b'), db.transaction().execute((tx) => insert(tx, 'c')), write('d')];
  await expect.poll(() => idsAtOnce(db)).toEqual(['a', 'b', 'c', 'd']);
  expect(done).toEqual([]);
  begun[0]?.resolve();
  await first;
  expect(done).toEqual(['a']);
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await Promise.all(others);
  expect(begun).toHaveLength(2);
  syncs.isOn = false;
});

test('a failed sync fails all that wait for it, and changes are refused until the database was opened again', async () => {
  const syncs = holdSyncs();
  const { begun } = syncs;
  const logged: string[] = [];
  const log = { error: (_: unknown, text: string) => logged.push(text), warn: (text: string) => logged.push(text) };
  await using opened = await openDatabase({
    sync: () => syncs.sync(),
    log: log as unknown as NonNullable<SqliteOptions['log']>,
  });
  syncs.isOn = true;
  const { db, path } = opened;
  const writes = [insert(db, 'a')];
  await expect.poll(() => begun.length).toBe(1);
  writes.push(db.transaction().execute((tx) => insert(tx, 'b')));
  await expect.poll(() => idsAtOnce(db)).toEqual(['a', 'b']);
  begun[0]?.reject(new Error('EIO'));
  const [statement, commit] = (await Promise.allSettled(writes)) as PromiseRejectedResult[];
  expect(statement?.reason).toBeInstanceOf(DatabaseUnavailable);
  expect(commit?.reason).toBeInstanceOf(CommitUnknown);
  syncs.isOn = false;
  using reading = new DatabaseSync(path);
  reading.exec('BEGIN; SELECT id FROM blobs');
  await expect(insert(db, 'c')).rejects.toBeInstanceOf(DatabaseUnavailable);
  reading.exec('COMMIT');
  await expect.poll(() => insert(db, 'd').then(() => 'kept', String)).toBe('kept');
  expect(await ids(db)).toEqual(['a', 'b', 'd']);
  expect(logged).toEqual([expect.stringContaining('ALARM'), expect.stringContaining('accepted')]);
});

test('a write waits for the lock of another process without blocking reads or the event loop', async () => {
  await using opened = await openDatabase({ busyMs: 60_000 });
  const { db, path } = opened;
  using other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const writes = [insert(db, 'a'), db.transaction().execute((tx) => insert(tx, 'b'))];
  for (const read of [ids, idsAtOnce]) expect(await read(db)).toEqual([]);
  other.exec('COMMIT');
  await Promise.all(writes);
  expect(await ids(db)).toEqual(['a', 'b']);
});

test('writes that find the database locked for too long are refused together, as unavailable', async () => {
  await using opened = await openDatabase({ busyMs: 300 });
  const { db, path } = opened;
  using other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const writes = Array.from({ length: 40 }, (_, at) =>
    at % 2 === 0 ? insert(db, `a${at}`) : db.transaction().execute((tx) => insert(tx, `a${at}`)),
  );
  for (const { reason } of (await Promise.allSettled(writes)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ name: 'DatabaseUnavailable', cause: { errcode: 5 } });
  other.exec('COMMIT');
  await insert(db, 'later');
  expect(await ids(db)).toEqual(['later']);
});

test('the log is copied into the file and begun anew while the database is in use', async () => {
  await using opened = await openDatabase();
  const { db, path } = opened;
  const change = () =>
    sql`
      INSERT INTO blobs (id, sha256, size, used_by, created_at)
      WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 4000)
      SELECT hex(randomblob(12)), hex(randomblob(32)), 1, 1, 0 FROM n`.execute(db);
  const hasKeptItsSize = async () => {
    const { size } = statSync(`${path}-wal`);
    await change();
    return size > 0 && statSync(`${path}-wal`).size === size;
  };
  await expect.poll(hasKeptItsSize).toBe(true);
});
