import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readerOf } from '../../src/lib/byte-reader.ts';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { days, hours } from '../../src/lib/clock.ts';
import type { Transaction } from '../../src/storage/db/database.ts';
import { findBytes } from '../../src/operator/find-bytes.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { takeDown } from '../../src/operator/take-down.ts';
import { blankAccounts } from '../../src/jobs/blank-accounts.ts';
import { blankTombstones } from '../../src/jobs/blank-tombstones.ts';
import { createDeletionLimit } from '../../src/jobs/deletion-limit.ts';
import { purge, purgeDeleted } from '../../src/jobs/purge.ts';
import { purgeBlobs, quarantinedSince, unusedSince } from '../../src/jobs/purge-blobs.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { onPostgres, planOf } from '../harness/plan-of.ts';
import { openSecond } from '../harness/second-process.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

/** Many rounds, on a machine that may be busy. */
const patience = 120_000;

const deleteFiles = (account: SignedIn, ...names: string[]) => account.byKey.deleteFiles({ body: { files: names } });

const runOf = (server: TestServer, context = server.context) => ({
  context,
  dryRun: false,
  signal: new AbortController().signal,
  deletionLimit: createDeletionLimit(null),
});

test('the bytes of a deleted file are removed a day later, and not before', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const [gone, kept] = [await uploadFile(server, ada, 'goes'), await uploadFile(server, ada, 'stays')];
  await deleteFiles(ada, gone);
  server.clock.advance(hours(24) - 1);
  expect(await server.runJob('purge')).toEqual({ blobs: 0, bytes: 0, names: 0, accounts: 0 });
  expect(await storedNames(server)).toHaveLength(2);
  server.clock.advance(1);
  expect(await server.runJob('purge')).toEqual({ blobs: 1, bytes: 4, names: 1, accounts: 0 });
  expect(await storedNames(server)).toHaveLength(1);
  expect(await (await fetch(fileUrl(server, kept))).text()).toBe('stays');
  expect(await server.runJob('purge')).toEqual({ blobs: 0, bytes: 0, names: 0, accounts: 0 });
});

test('bytes that are shared or uploaded again in time are kept', async () => {
  await using server = await startServer();
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = [await uploadFile(server, ada, 'shared'), await uploadFile(server, ada, 'comes back')];
  const shared = await uploadFile(server, ben, 'shared');
  await deleteFiles(ada, ...names);
  server.clock.advance(hours(23));
  const again = await uploadFile(server, ben, 'comes back');
  server.clock.advance(days(30));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  expect(await (await fetch(fileUrl(server, shared))).text()).toBe('shared');
  expect(await (await fetch(fileUrl(server, again))).text()).toBe('comes back');
  expect(await storedNames(server)).toHaveLength(2);
});

test('bytes of a live file are kept although their use count is wrong', async () => {
  await using server = await startServer();
  const name = await uploadFile(server, await signUpAndIn(server), 'miscounted');
  await server.context.db.updateTable('blobs').set({ used_by: 0, unused_since: 1 }).execute();
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  expect(await (await fetch(fileUrl(server, name))).text()).toBe('miscounted');
});

test('a held file keeps its bytes and its name until the hold ends', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'evidence', 'case.txt');
  await deleteFiles(ada, name);
  const { db } = server.context;
  await db.updateTable('files').set({ deleted_because: 'takedown' }).execute();
  await db.updateTable('blobs').set({ held_for: 'takedown', held_at: server.clock.now() }).execute();
  server.clock.advance(days(400));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0, names: 0 });
  expect(await storedNames(server)).toHaveLength(1);
  await db.updateTable('blobs').set({ held_for: null }).execute();
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1, names: 1 });
});

test('quarantined malware is purged after 90 days, unless a case holds its bytes', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const names = [await uploadFile(server, ada, 'bad'), await uploadFile(server, ada, 'bad and sued')] as const;
  const { context } = server;
  const { db } = context;
  for (const name of names) await quarantine(context, await findBytes(context, name), 'Bad.Thing');
  const actor = { operator: 'ada', action: 'file take-down' };
  await takeDown(context, actor, await findBytes(context, names[1]), 'C-1');
  server.clock.advance(days(90) - 1);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0, names: 0 });
  server.clock.advance(1);
  expect(await server.runJob('purge', { dryRun: true })).toMatchObject({ blobs: 1, bytes: 3 });
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1, bytes: 3, names: 1 });
  expect(await storedNames(server)).toHaveLength(1);
  expect((await sendForm(server, ada, formWith('bad'))).status).toBe(422);
  await db.updateTable('takedown_cases').set({ closed_at: server.clock.now() }).execute();
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
});

test('names beyond one batch are blanked, except those of held files', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'evidence', 'case.txt');
  const { db } = server.context;
  const { id: _id, ...file } = await db
    .selectFrom('files')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  const held = { deleted_because: 'takedown', deleted_at: 1 } as const;
  const gone = { deleted_because: 'owner', blob_id: 'gone' as BlobId } as const;
  for (let at = 0; at < 1_500; at += 1)
    await db
      .insertInto('files')
      // Some of the rows to purge were deleted at one moment, and some of them earlier or together with rows to keep.
      .values({
        ...file,
        id: `f${at}`,
        name: `n${at}`,
        ...(at % 3 === 0 ? held : { ...gone, deleted_at: 1 + (at % 7) }),
      })
      .execute();
  await db.updateTable('blobs').set({ held_for: 'takedown', held_at: 1 }).execute();
  expect(await server.runJob('purge')).toMatchObject({ names: 1_000 });
  expect(await server.runJob('purge')).toMatchObject({ names: 0 });
});

/** Lets what would begin a transaction run in this one. */
function withoutNesting(tx: Transaction): Transaction {
  return Object.assign(tx, { transaction: () => ({ execute: (work: (tx: Transaction) => unknown) => work(tx) }) });
}

// With so few rows PostgreSQL reads the whole table.
test.skipIf(onPostgres)('the purge uses indexes to find its rows', async () => {
  await using server = await startServer();
  const run = (tx: Transaction) => ({ ...runOf(server), context: { ...server.context, db: withoutNesting(tx) } });
  const { db } = server.context;
  expect(await planOf(db, (tx) => blankTombstones(run(tx), 1))).toMatch(/files USING COVERING INDEX files_to_blank/);
  expect(await planOf(db, (tx) => purgeBlobs(run(tx), unusedSince(1)))).toMatch(/USING INDEX blobs_to_purge/);
  expect(await planOf(db, (tx) => purgeBlobs(run(tx), quarantinedSince(1)))).toMatch(/USING INDEX blobs_held/);
  expect(await planOf(db, (tx) => blankAccounts(run(tx), 1))).toMatch(/USING INDEX accounts_to_blank/);
});

test('a day after its deletion the original name of a file is erased, and its link is kept', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'x', 'my diary.txt');
  const live = await uploadFile(server, ada, 'y', 'kept.txt');
  await deleteFiles(ada, name);
  server.clock.advance(hours(24));
  await server.runJob('purge');
  const rows = await server.context.db.selectFrom('files').select(['name', 'original_name', 'search_text']).execute();
  expect(rows).toContainEqual({ name, original_name: '', search_text: '' });
  expect(rows.find((row) => row.name === live)).toMatchObject({ original_name: 'kept.txt' });
});

test('a day after its deletion an account contains no personal data', async () => {
  await using server = await startServer();
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const { db } = server.context;
  for (const { email } of [ada, ben]) {
    const { id } = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    const happening = { name: 'n', original_name: 'diary.txt', size: 1, happened_at: 1, event: 'inactivity' as const };
    await db
      .insertInto('activity')
      .values(Array.from({ length: 600 }, (_, at) => ({ id: `${id} ${at}`, account_id: id, ...happening })))
      .execute();
  }
  await ada.browser.client.deleteAccount();
  server.clock.advance(hours(24) - 1);
  expect(await server.runJob('purge')).toMatchObject({ accounts: 0 });
  server.clock.advance(1);
  expect(await server.runJob('purge')).toMatchObject({ accounts: 1 });
  const rows = await db.selectFrom('accounts').select(['email', 'email_key', 'name', 'closed_at']).execute();
  expect(rows.filter((row) => row.closed_at !== null)).toMatchObject([{ email: '', email_key: '', name: '' }]);
  expect(rows.filter((row) => row.closed_at === null)).toMatchObject([{ email: ben.email }]);
  expect(await db.selectFrom('activity').selectAll().execute()).toHaveLength(600);
  expect(await server.runJob('purge')).toMatchObject({ accounts: 0 });
  // The address is available again, more than once.
  for (let round = 0; round < 2; round += 1) {
    const again = await signUpAndIn(server, { email: ada.email });
    await again.browser.client.deleteAccount();
    server.clock.advance(hours(24));
    expect(await server.runJob('purge')).toMatchObject({ accounts: 1 });
  }
});

test('a dry run changes nothing, and a purge without a grace period removes at once', async () => {
  await using server = await startServer();
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  await deleteFiles(ada, await uploadFile(server, ada, 'four'));
  await ben.browser.client.deleteAccount();
  const tables = () =>
    Promise.all(
      (['files', 'blobs', 'accounts', 'activity', 'jobs'] as const).map((table) =>
        server.context.db.selectFrom(table).selectAll().execute(),
      ),
    );
  const before = await tables();
  const all = { blobs: 1, bytes: 4, names: 1, accounts: 1 };
  expect(await purgeDeleted({ ...runOf(server), dryRun: true }, 0)).toEqual(all);
  expect(await server.runJob('purge', { dryRun: true })).toEqual({ blobs: 0, bytes: 0, names: 0, accounts: 0 });
  server.clock.advance(hours(24));
  expect(await server.runJob('purge', { dryRun: true })).toEqual(all);
  server.clock.advance(-hours(24));
  expect(await tables()).toEqual(before);
  expect(await storedNames(server)).toHaveLength(1);
  expect(await purgeDeleted(runOf(server), 0)).toEqual(all);
  expect(await storedNames(server)).toEqual([]);
});

test('2,000 blobs are removed in one run', async () => {
  await using server = await startServer();
  const { db, blobs, clock } = server.context;
  const ids = Array.from({ length: 2_000 }, (_, at) => at.toString(16).padStart(32, '0') as BlobId);
  const row = { size: 1, used_by: 0, unused_since: clock.now() - hours(24), created_at: 0 };
  await db
    .insertInto('blobs')
    .values(ids.map((id) => ({ id, sha256: id, ...row })))
    .execute();
  await Promise.all(ids.slice(0, 50).map((id) => blobs.write(id, readerOf([Buffer.from('x')]))));
  expect(await server.runJob('purge')).toEqual({ blobs: 2_000, bytes: 2_000, names: 0, accounts: 0 });
  expect(await db.selectFrom('blobs').selectAll().execute()).toEqual([]);
  expect(await storedNames(server)).toEqual([]);
});

test('storage that fails to remove a blob fails the run, and the next run continues', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const names = [await uploadFile(server, ada, 'one'), await uploadFile(server, ada, 'two')];
  await deleteFiles(ada, names[0] ?? '');
  server.clock.advance(hours(24));
  const broken = {
    ...server.context,
    blobs: { ...server.context.blobs, remove: () => Promise.reject(new Error('storage is away')) },
  };
  await expect(purge.run(runOf(server, broken))).rejects.toThrow('storage is away');
  await deleteFiles(ada, names[1] ?? '');
  server.clock.advance(hours(24));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
});

/** Checks in the storage itself that every blob of a live file is complete. */
async function expectWhole(server: TestServer) {
  const rows = await server.context.db
    .selectFrom('files')
    .innerJoin('blobs', 'blobs.id', 'files.blob_id')
    .select(['blobs.id', 'blobs.size', 'blobs.used_by'])
    .where('files.deleted_at', 'is', null)
    .execute();
  const live = await server.context.db.selectFrom('files').select('id').where('deleted_at', 'is', null).execute();
  expect(rows).toHaveLength(live.length);
  for (const row of rows) expect(await server.context.blobs.size(row.id)).toBe(row.size);
  expect(await storedNames(server)).toHaveLength(new Set(rows.map((row) => row.id)).size);
}

test('an upload of equal bytes during the purge always has its bytes', { timeout: patience }, async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server, { plan: 'power' });
  await using second = await openSecond(server);
  let [kept, purged] = [0, 0];
  for (let round = 0; round < 40; round += 1) {
    const contents = Array.from({ length: 4 }, (_, at) => `bytes ${round}.${at}`);
    const names = await Promise.all(contents.map((content) => uploadFile(server, ada, content)));
    await deleteFiles(ada, ...names);
    server.clock.advance(hours(24));
    const upload = async (content: string) => {
      const { success } = await sendForm(server, ada, formWith(content));
      expect(success).toBe(true);
    };
    // At any time while the uploads run.
    const purges = [server.context, second].map((context) =>
      wait(Math.random() * (round % 2 === 0 ? 15 : 60)).then(() => purge.run(runOf(server, context))),
    );
    const [, ...results] = await Promise.all([Promise.all(contents.map(upload)), ...purges]);
    purged += results.reduce((sum, result) => sum + (result['blobs'] ?? 0), 0);
    await expectWhole(server);
    const live = await server.context.db.selectFrom('files').select('name').where('deleted_at', 'is', null).execute();
    expect(live).toHaveLength(4);
    await deleteFiles(ada, ...live.map(({ name }) => name));
    server.clock.advance(hours(24));
    await server.runJob('purge');
    kept += 4;
  }
  // Both outcomes of the race occurred.
  expect(purged).toBeGreaterThan(0);
  expect(purged).toBeLessThan(kept);
});
