import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { evict } from '../../src/files/evict.ts';
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

test('an eviction looks up the bytes of its files, and reads no others', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const [account] = await seedLists(db, [2_000], 20_000);
  if (!account) throw new Error('unreachable: an account was made');
  await sql`
    INSERT INTO blobs (id, sha256, size, used_by, unused_since, created_at, scan_state, scanned_at)
    SELECT blob_id, min(sha256), min(size), count(*), NULL, 0, 'clean', 0 FROM files GROUP BY blob_id`.execute(db);
  await db.updateTable('accounts').set({ space_used: 1e12 }).where('id', '=', account.id).execute();
  if (onPostgres) await sql`ANALYZE blobs`.execute(db);
  const needed = { accountId: account.id, sha256: 'f'.repeat(64), cause: 'kelp.txt', bytes: 1, slots: 3, now: 0 };
  const plans = await plansOf(db, (watched) => watched.transaction().execute((tx) => evict(tx, needed)));
  const ofBlobs = plans.filter((plan) => /\bblobs/.test(plan));
  expect(ofBlobs.length).toBeGreaterThanOrEqual(1);
  for (const plan of ofBlobs) expect(plan).not.toMatch(/Seq Scan on blobs|SCAN blobs/);
});
