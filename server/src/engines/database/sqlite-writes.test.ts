import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Database, DatabaseUnavailable, isDatabaseFull } from './database.ts';
import { withTransactions } from './transactions.ts';
import type { Schema } from './schema.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { createSqliteReaders } from './sqlite-readers.ts';
import { type SqliteCall, type SqliteThread, startSqliteThread } from './sqlite-thread.ts';

/** A database with one table. A test can fail a call or send others before it. */
async function openDatabase(beforeCall: (call: SqliteCall, thread: SqliteThread) => Promise<never> | void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-writes-'));
  const calls: SqliteCall[] = [];
  const start = () => {
    const path = join(folder, 'test.db');
    const thread = startSqliteThread({ path, pragmas: ['journal_mode = WAL'], busyMs: 1_000, log: undefined });
    return {
      ...thread,
      ask(call: SqliteCall) {
        calls.push(call);
        return beforeCall(call, thread) ?? thread.ask(call);
      },
    };
  };
  let writer = start();
  const readers = createSqliteReaders(1, start);
  const dialect = createSqliteDialect({
    writer: () => (writer.hasEnded() ? (writer = start()) : writer),
    readers,
    async close() {
      await readers.close();
      await writer.close();
    },
  });
  const db = withTransactions(new Kysely<Schema>({ dialect }), { warn() {} });
  await sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)`.execute(db);
  calls.length = 0;
  return {
    db,
    commits: () => calls.filter(({ kind }) => kind === 'commit').length,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const note = (db: Database, text: string) => sql`INSERT INTO notes (text) VALUES (${text})`.execute(db);
const notes = async (db: Database) =>
  (await sql<{ text: string }>`SELECT text FROM notes ORDER BY text`.execute(db)).rows.map(({ text }) => text);

/** Writes two notes in one transaction. */
const pair = (db: Database, name: string) =>
  db.transaction().execute(async (tx) => {
    await note(tx, `${name} 1`);
    await note(tx, `${name} 2`);
  });

const names = Array.from({ length: 20 }, (_, at) => String.fromCodePoint(97 + at));
const pairs = names.flatMap((name) => [`${name} 1`, `${name} 2`]);

test('transactions that wait for their turn share commits, and each is durable when it resolves', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  await Promise.all(
    names.map(async (name) => {
      await pair(db, name);
      expect(await notes(db)).toEqual(expect.arrayContaining([`${name} 1`, `${name} 2`]));
    }),
  );
  expect(await notes(db)).toEqual(pairs);
  expect(opened.commits()).toBeLessThan(names.length / 2);
});

test('one that fails takes nothing of the others with it, and nothing of it is kept', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const failing = (name: string) =>
    db.transaction().execute(async (tx) => {
      await note(tx, `${name} 1`);
      await note(tx, `${name} 1`);
    });
  const all = names.map((name, at) => (at % 3 === 0 ? failing(name) : at % 3 === 1 ? pair(db, name) : note(db, name)));
  const outcomes = (await Promise.allSettled(all)).map(({ status }) => status);
  expect(outcomes).toEqual(names.map((_, at) => (at % 3 === 0 ? 'rejected' : 'fulfilled')));
  expect(await notes(db)).toEqual(
    names.flatMap((name, at) => (at % 3 === 0 ? [] : at % 3 === 1 ? [`${name} 1`, `${name} 2`] : [name])),
  );
});

test('a single statement that fails beside others rejects alone', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  await note(db, 'a');
  const outcomes = await Promise.allSettled([pair(db, 'b'), note(db, 'a'), note(db, 'c'), note(db, 'a')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await notes(db)).toEqual(['a', 'b 1', 'b 2', 'c']);
});

test('after a commit that fails, all that shared it run again, once each', async () => {
  let failures = 0;
  await using opened = await openDatabase(({ kind }, thread) => {
    if (kind !== 'commit' || failures > 0) return undefined;
    failures += 1;
    void thread.ask({ kind: 'statement', sql: 'rollback', parameters: [] });
    return Promise.reject(Object.assign(new Error('disk I/O error'), { errcode: 10 }));
  });
  const { db } = opened;
  await Promise.all(names.map((name, at) => (at % 2 ? pair(db, name) : note(db, name))));
  expect(failures).toBe(1);
  expect(await notes(db)).toEqual(names.flatMap((name, at) => (at % 2 ? [`${name} 1`, `${name} 2`] : [name])));
});

test('on a disk that fills up, those that fit are kept and the others are refused', async () => {
  await using opened = await openDatabase();
  const { db } = opened;
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db);
  await sql.raw(`PRAGMA max_page_count = ${(rows[0]?.page_count ?? 0) + 30}`).execute(db);
  const large = (name: string) =>
    db.transaction().execute(async (tx) => {
      for (let at = 0; at < 50; at += 1) await note(tx, `${name} ${at} ${'x'.repeat(10_000)}`);
    });
  const outcomes = await Promise.allSettled(names.map((name, at) => (at % 4 === 1 ? large(name) : note(db, name))));
  for (const [at, outcome] of outcomes.entries()) {
    expect(outcome.status, names[at]).toBe(at % 4 === 1 ? 'rejected' : 'fulfilled');
    if (outcome.status === 'rejected') expect(isDatabaseFull(outcome.reason)).toBe(true);
  }
  expect(await notes(db)).toEqual(names.filter((_, at) => at % 4 !== 1));
});

test('a thread that dies with a shared commit fails those that wait for it, and the next ones work', async () => {
  let isDead = false;
  await using opened = await openDatabase(({ sql: text }, thread) => {
    if (isDead || !text.includes('INSERT')) return;
    isDead = true;
    // A broken message ends the thread.
    thread.ask(null as unknown as SqliteCall).catch(() => {});
  });
  const { db } = opened;
  const outcomes = await Promise.allSettled(names.map((name) => pair(db, name)));
  const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(lost.length).toBeGreaterThan(0);
  for (const { reason } of lost) expect(reason).toBeInstanceOf(DatabaseUnavailable);
  const kept = names.filter((_, at) => outcomes[at]?.status === 'fulfilled');
  expect(await notes(db)).toEqual(kept.flatMap((name) => [`${name} 1`, `${name} 2`]));
  await pair(db, 'z');
  expect(await notes(db)).toContain('z 1');
});
