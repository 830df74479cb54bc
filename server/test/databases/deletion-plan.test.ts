import { expect, test } from 'vitest';
import { deleteFiles } from '../../src/files/delete.ts';
import { onPostgres, plansOf } from '../harness/plan-of.ts';
import { seedLists } from '@holdfast/test-support/seed-lists.ts';
import { startServer } from '../harness/start-server.ts';

/** PostgreSQL walks the index of a small account where its statistics say that this is cheaper. */
const walks = onPostgres ? /Seq Scan on files/ : /files_by_\w+ \(account_id=\?\)|SCAN files/;

test('a deletion looks up each name and walks no other files of the account', async () => {
  await using server = await startServer();
  const { context } = server;
  const [account] = await seedLists(context.db, [2_000], 20_000);
  if (!account) throw new Error('unreachable: an account was made');
  await context.db.updateTable('accounts').set({ space_used: 1e12 }).where('id', '=', account.id).execute();
  const files = context.db.selectFrom('files').select('name').where('account_id', '=', account.id);
  const names = (await files.limit(150).execute()).map(({ name }) => name);
  const unknown = Array.from({ length: 350 }, (_, at) => `nosuch${at}`);
  const row = context.db.selectFrom('accounts').selectAll().where('id', '=', account.id);
  const caller = { account: await row.executeTakeFirstOrThrow(), by: 'key', sessionId: null, confirmedAt: 0 } as const;
  const plans = await plansOf(context.db, async (db) => {
    const deleted = await deleteFiles({ ...context, db }, caller, [...unknown, ...names]);
    expect(deleted).toEqual(names);
  });
  const ofFiles = plans.filter((plan) => /\bfiles/.test(plan));
  // The look-up, and an update for each batch.
  expect(ofFiles.length).toBeGreaterThanOrEqual(3);
  for (const plan of ofFiles) expect(plan).not.toMatch(walks);
});
