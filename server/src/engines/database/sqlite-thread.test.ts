import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { BlobId } from '../blobs/blobs.ts';
import type { Database } from './database.ts';
import { createSqliteReaders } from './sqlite-readers.ts';
import { type SqliteCall, type SqliteThread, startSqliteThread } from './sqlite-thread.ts';
import { openSqlite } from './sqlite.ts';

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-sqlite-'));
  return {
    path: join(folder, 'test.db'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const dying = new URL("data:text/javascript,throw new Error('out of memory')");
const select: SqliteCall = { kind: 'statement', sql: 'SELECT 1 AS one', parameters: [] };

/** A thread on a database in memory, and the errors that it logs. */
function start(program?: URL) {
  const logged: unknown[] = [];
  const log = { error: (about: unknown) => void logged.push(about) };
  const about = { path: ':memory:', pragmas: [], busyMs: 5_000, log };
  return { logged, thread: startSqliteThread(program ? { ...about, program } : about) };
}

test('calls in one turn are answered in their order, each with its own error', async () => {
  const { logged, thread } = start();
  const asked = [thread.ask(select), thread.ask({ ...select, sql: 'SELECT missing' }), thread.ask(select)] as const;
  expect(await asked[0]).toEqual({ columns: ['one'], rows: [[1]] });
  const refused = { code: 'ERR_SQLITE_ERROR', errcode: 1, message: 'no such column: missing' };
  await expect(asked[1]).rejects.toMatchObject(refused);
  expect(await asked[2]).toMatchObject({ rows: [[1]] });
  await thread.close();
  expect(logged).toEqual([]);
});

test('the calls of a thread that dies fail, and the log has the reason', async () => {
  const { logged, thread } = start(dying);
  const cause = expect.objectContaining({ message: 'out of memory' });
  const failed = {
    name: 'DatabaseUnavailable',
    cause: expect.objectContaining({ message: 'A database thread has ended', cause }),
  };
  await expect(thread.ask(select)).rejects.toMatchObject(failed);
  await expect(thread.ask(select)).rejects.toMatchObject(failed);
  expect(logged).toEqual([{ err: expect.objectContaining(failed) }]);
  await thread.close();
});

test('a reader that has died is replaced by the next call', async () => {
  const started: SqliteThread[] = [];
  const readers = createSqliteReaders(1, () => {
    const { thread } = start(started.length === 0 ? dying : undefined);
    started.push(thread);
    return thread;
  });
  const ask = () => readers.use('statement', (thread) => thread.ask(select));
  await expect(ask()).rejects.toThrow('A database thread has ended');
  expect(await ask()).toMatchObject({ rows: [[1]] });
  expect(started).toHaveLength(2);
  await readers.close();
});

const insert = (db: Database, id: string) =>
  db
    .insertInto('blobs')
    .values({ id: id as BlobId, sha256: id, size: 1, used_by: 0, unused_since: null, created_at: 0 })
    .execute();

const count = async (db: Database) => (await db.selectFrom('blobs').select('id').execute()).length;

test('a write waits for the lock of another process', async () => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path, 'migrate', { busyMs: 60_000 });
  using other = new DatabaseSync(folder.path);
  other.exec('BEGIN IMMEDIATE');
  const written = insert(db, 'a');
  // Reads are not blocked by it.
  expect(await count(db)).toBe(0);
  other.exec('COMMIT');
  await written;
  expect(await count(db)).toBe(1);
  await db.destroy();
});

/** Another process that writes all the time: it leaves the lock for a twelfth of each turn. */
const busyWriter = `
  const { workerData: { path, turns } } = require('node:worker_threads');
  const db = new (require('node:sqlite').DatabaseSync)(path, { timeout: 0 });
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  while (Atomics.load(turns, 1) === 0) {
    try {
      db.exec('BEGIN IMMEDIATE');
    } catch {
      sleep(0.05);
      continue;
    }
    sleep(5);
    db.exec('COMMIT');
    Atomics.add(turns, 0, 1);
    sleep(0.4);
  }
  db.close();`;

test('a write gets its turn between the transactions of a process that writes all the time', async () => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path, 'migrate', { busyMs: 60_000 });
  const turns = new Int32Array(new SharedArrayBuffer(8));
  const other = new Worker(busyWriter, { eval: true, workerData: { path: folder.path, turns } });
  const ended = once(other, 'exit');
  await expect.poll(() => Atomics.load(turns, 0)).toBeGreaterThan(0);
  const before = Atomics.load(turns, 0);
  const writes = 30;
  for (let at = 0; at < writes; at += 1) await insert(db, `a${at}`);
  const waited = Atomics.load(turns, 0) - before;
  Atomics.store(turns, 1, 1);
  await ended;
  expect(waited / writes).toBeLessThan(8);
  await db.destroy();
});

test('a transaction that has read what another process then changed is refused at once when it writes', async () => {
  await using folder = await openFolder();
  using other = new DatabaseSync(folder.path);
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word text)');
  const thread = startSqliteThread({ path: folder.path, pragmas: [], busyMs: 60_000, log: undefined });
  const run = (sql: string, inTransaction = true) =>
    thread.ask({ kind: 'statement', sql, parameters: [], inTransaction });
  await run('BEGIN', false);
  await run('SELECT word FROM words');
  other.exec("INSERT INTO words VALUES ('other')");
  await expect(run("INSERT INTO words VALUES ('own')")).rejects.toMatchObject({ cause: { errcode: 517 } });
  await run('ROLLBACK');
  await run("INSERT INTO words VALUES ('own')", false);
  await thread.close();
});

test('writes that find the database locked for too long are refused together, as unavailable', async () => {
  await using folder = await openFolder();
  const db = await openSqlite(folder.path, 'migrate', { busyMs: 500 });
  using other = new DatabaseSync(folder.path);
  other.exec('BEGIN IMMEDIATE');
  const startedAt = performance.now();
  const writes = Array.from({ length: 40 }, (_, at) =>
    at % 2 === 0 ? insert(db, `a${at}`) : db.transaction().execute((tx) => insert(tx, `a${at}`)),
  );
  for (const { reason } of (await Promise.allSettled(writes)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({
      name: 'DatabaseUnavailable',
      cause: { message: 'database is locked', errcode: 5 },
    });
  // One after the other they would wait for 20 seconds.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  other.exec('COMMIT');
  await insert(db, 'later');
  expect(await count(db)).toBe(1);
  await db.destroy();
});
