import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/storage/db/database.ts';
import { afterCommit } from '../../src/storage/db/transactions.ts';
import { openNew } from '../harness/open-database.ts';

const insert = (db: Database, sha256: string) =>
  db.insertInto('blocked_digests').values({ sha256, reason: 'takedown', reference: 'a', blocked_at: 0 }).execute();

test('registered work runs once the rows are visible to others, before the caller continues', async () => {
  await using opened = await openNew();
  const { db } = opened;
  const order: string[] = [];
  let seen: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    afterCommit(tx, () => {
      order.push('after');
      seen = db.selectFrom('blocked_digests').select('sha256').execute();
    });
    await insert(tx, 'a');
    order.push('inside');
  });
  expect(order).toEqual(['inside', 'after']);
  expect(await seen).toEqual([{ sha256: 'a' }]);
});

test('a rollback runs none of it, neither does a commit that fails', async () => {
  await using opened = await openNew();
  const { db } = opened;
  const ran: string[] = [];
  const failing = db.transaction().execute(async (tx) => {
    afterCommit(tx, () => ran.push('rolled back'));
    await insert(tx, 'a');
    await insert(tx, 'a');
  });
  await expect(failing).rejects.toThrow(/unique/i);
  const ended = db.transaction().execute(async (tx) => {
    afterCommit(tx, () => ran.push('not committed'));
    await sql`ROLLBACK`.execute(tx);
    await insert(tx, 'a');
    await sql`SELECT 1 FROM no_such_table`.execute(tx);
  });
  await expect(ended).rejects.toThrow();
  expect(ran).toEqual([]);
});

test('work that throws fails neither the transaction nor other work', async () => {
  await using opened = await openNew();
  const ran: string[] = [];
  await opened.db.transaction().execute(async (tx) => {
    afterCommit(tx, () => {
      throw new Error('no');
    });
    afterCommit(tx, () => ran.push('next'));
    await insert(tx, 'a');
  });
  expect(ran).toEqual(['next']);
});

test('nothing can be registered outside of a transaction that writes', async () => {
  await using opened = await openNew();
  const register = opened.db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => afterCommit(tx, () => {}));
  await expect(register).rejects.toThrow('Only a transaction that writes');
});
