import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CommitUnknown, DatabaseUnavailable, type Transaction } from '../storage/db/database.ts';
import { writeFact } from '../storage/db/service-facts.ts';
import { openSqlite } from '../storage/db/sqlite.ts';
import { insertTogether } from './share-transactions.ts';

async function open(options: Parameters<typeof openSqlite>[2] = {}) {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await mkdtempDisposable(join(memoryFolder(), 'holdfast-inserts-')));
  const db = opened.adopt(await openSqlite(join(folder.path, 'test.db'), 'migrate', options), (each) => each.destroy());
  const held = opened.move();
  const names = () => db.selectFrom('service_facts').select('name').orderBy('name').execute();
  return { db, names, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const add = (name: string) => async (tx: Transaction) => {
  await writeFact(tx, name, { value: '', at: 0 });
  return name;
};

test('inserts of an account that wait share a transaction, and each has its own result', async () => {
  await using store = await open();
  const used = new Set<Transaction>();
  const all = [...'abcd'].map((name) =>
    insertTogether(store.db, 'one', name, (tx) => {
      used.add(tx);
      return add(name)(tx);
    }),
  );
  expect(await Promise.all(all)).toEqual([...'abcd']);
  expect(used.size).toBe(2);
  expect((await store.names()).map(({ name }) => name)).toEqual([...'abcd']);
});

test('an insert that fails takes no other with it', async () => {
  await using store = await open();
  const fail = (name: string) => async (tx: Transaction) => {
    await add(name)(tx);
    await sql`SELECT wrong`.execute(tx);
    return name;
  };
  const all = [...'abXc'].map((name) => insertTogether(store.db, 'one', name, (name === 'X' ? fail : add)(name)));
  const ends = await Promise.allSettled(all);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect((await store.names()).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test('when it is unknown whether a transaction was committed, all of it say so, and the next ones fail at once', async () => {
  let left = Infinity;
  const sync = async () => {
    if ((left -= 1) < 0) throw new Error('lost');
  };
  await using store = await open({ sync });
  left = 1;
  const all = Array.from({ length: 40 }, (_, at) => insertTogether(store.db, 'one', String(at), add(String(at))));
  const ends = (await Promise.allSettled(all)).map((end) => end.status === 'fulfilled' || end.reason);
  expect(ends[0]).toBe(true);
  expect(ends.slice(1, 33).every((end) => end instanceof CommitUnknown)).toBe(true);
  for (const end of ends.slice(33)) {
    expect(end).toBeInstanceOf(DatabaseUnavailable);
    expect(end).not.toBeInstanceOf(CommitUnknown);
  }
});
