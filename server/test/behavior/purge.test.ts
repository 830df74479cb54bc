import { expect } from 'vitest';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { days, hours } from '../../src/lib/clock.ts';
import type { Database } from '../../src/storage/db/database.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { purge, purgeDeleted } from '../../src/jobs/purge.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { onPostgres, plansOf } from '../harness/plan-of.ts';
import { runOf } from '../harness/run-of.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

const deleteFiles = (account: SignedIn, ...names: string[]) => account.byKey.deleteFiles({ body: { files: names } });

test('the bytes of a deleted file are removed a day later, and not before', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const [gone, kept] = [await uploadFile(server, ada, 'goes'), await uploadFile(server, ada, 'stays')];
  await deleteFiles(ada, gone);
  server.clock.advance(hours(24) - 1);
  expect(await server.runJob('purge')).toEqual({ blobs: 0, bytes: 0, names: 0, accounts: 0, tombstones: 0 });
  expect(await storedNames(server)).toHaveLength(2);
  server.clock.advance(1);
  expect(await server.runJob('purge')).toEqual({ blobs: 1, bytes: 4, names: 1, accounts: 0, tombstones: 0 });
  expect(await storedNames(server)).toHaveLength(1);
  const rows = await server.context.db.selectFrom('files').select(['name', 'original_name', 'search_text']).execute();
  expect(rows).toContainEqual({ name: gone, original_name: '', search_text: '' });
  expect(rows.find(({ name }) => name === kept)?.original_name).not.toBe('');
  expect(await (await fetch(fileUrl(server, kept))).text()).toBe('stays');
  expect(await server.runJob('purge')).toEqual({ blobs: 0, bytes: 0, names: 0, accounts: 0, tombstones: 0 });
});

test('bytes that are shared or uploaded again in time are kept', async ({ server }) => {
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

test('bytes of a live file are kept although their use count is wrong', async ({ server }) => {
  const name = await uploadFile(server, await signUpAndIn(server), 'miscounted');
  await server.context.db.updateTable('blobs').set({ used_by: 0, unused_since: 1 }).execute();
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  expect(await (await fetch(fileUrl(server, name))).text()).toBe('miscounted');
});

test('a file deleted a year ago leaves its name alone, which no upload gets again', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const { db } = server.context;
  const [old, kept, later] = [
    await uploadFile(server, ada, 'old'),
    await uploadFile(server, ada),
    await uploadFile(server, ada, 'later'),
  ];
  await deleteFiles(ada, old);
  server.clock.advance(days(367));
  await deleteFiles(ada, later);
  expect(await server.runJob('purge')).toMatchObject({ names: 1, tombstones: 0 });
  server.clock.advance(hours(1));
  expect(await server.runJob('purge', { dryRun: true })).toMatchObject({ tombstones: 1 });
  expect(await server.runJob('purge')).toMatchObject({ tombstones: 1 });
  const rows = await db.selectFrom('files').select('name').orderBy('id').execute();
  expect(rows.map(({ name }) => name)).toEqual([kept, later]);
  expect(await db.selectFrom('used_names').selectAll().execute()).toEqual([{ name: old }]);
  expect((await fetch(fileUrl(server, old))).status).toBe(404);
});

test('a held file keeps its bytes and its name until the hold ends', async ({ server }) => {
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
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1, names: 1, tombstones: 1 });
});

test('quarantined malware is purged after 90 days, unless a case holds its bytes', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const names = [await uploadFile(server, ada, 'bad'), await uploadFile(server, ada, 'bad and sued')] as const;
  const { context } = server;
  const { db } = context;
  for (const name of names) await quarantine(context, await findBytes(context, name), 'Bad.Thing');
  const actor = { operator: 'ada', action: 'file take-down' };
  await takeDown(context, actor, await findBytes(context, names[1]), 'C-1');
  server.clock.advance(days(91) + hours(1) - 1);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0, names: 0 });
  server.clock.advance(1);
  // The command of an operator leaves them to the job, which pauses after the clock has jumped.
  expect(await purgeDeleted(runOf(server), 0)).toMatchObject({ blobs: 0 });
  expect(await server.runJob('purge', { dryRun: true })).toMatchObject({ blobs: 1, bytes: 3 });
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1, bytes: 3, names: 1 });
  expect(await storedNames(server)).toHaveLength(1);
  expect((await sendForm(server, ada, formWith('bad'))).status).toBe(422);
  await db.updateTable('takedown_cases').set({ closed_at: server.clock.now() }).execute();
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
});

test('names beyond one batch are erased, except those of held files', async ({ server }) => {
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

// With so few rows PostgreSQL reads the whole table.
test.skipIf(onPostgres)('the purge uses indexes to find its rows', async ({ server }) => {
  const { context } = server;
  const ask = (db: Database) =>
    purgeDeleted(runOf(server, { context: { ...context, db } }), 1, { endsQuarantines: true });
  const plans = (await plansOf(context.db, ask)).join('\n');
  for (const index of ['files_to_blank', 'blobs_to_purge', 'blobs_held', 'accounts_to_blank'])
    expect(plans).toContain(` INDEX ${index}`);
});

test('a day after its deletion an account contains no personal data', async ({ server }) => {
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

test('a dry run changes nothing, and a purge without a grace period removes at once', async ({ server }) => {
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
  const all = { blobs: 1, bytes: 4, names: 1, accounts: 1, tombstones: 0 };
  expect(await purgeDeleted(runOf(server, { dryRun: true }), 0)).toEqual(all);
  expect(await server.runJob('purge', { dryRun: true })).toEqual({
    blobs: 0,
    bytes: 0,
    names: 0,
    accounts: 0,
    tombstones: 0,
  });
  server.clock.advance(hours(24));
  expect(await server.runJob('purge', { dryRun: true })).toEqual(all);
  server.clock.advance(-hours(24));
  expect(await tables()).toEqual(before);
  expect(await storedNames(server)).toHaveLength(1);
  expect(await purgeDeleted(runOf(server), 0)).toEqual(all);
  expect(await storedNames(server)).toEqual([]);
});

test('storage that fails to remove a blob fails the run, and the next run continues', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const names = [await uploadFile(server, ada, 'one'), await uploadFile(server, ada, 'two')];
  await deleteFiles(ada, names[0] ?? '');
  server.clock.advance(hours(24));
  const broken = {
    ...server.context,
    blobs: { ...server.context.blobs, remove: () => Promise.reject(new Error('storage is away')) },
  };
  await expect(purge.run(runOf(server, { context: broken }))).rejects.toThrow('storage is away');
  await deleteFiles(ada, names[1] ?? '');
  server.clock.advance(hours(24) + 1);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 2 });
  expect(await storedNames(server)).toEqual([]);
});

test.each([
  ['row', 0],
  ['bytes', 1],
] as const)('an upload of equal bytes just before a purge removes the %s has its bytes', async (what, purged) => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  await deleteFiles(ada, await uploadFile(server, ada, 'again'));
  server.clock.advance(hours(24));
  const { context } = server;
  let name = '';
  const upload = async () => void (name ||= await uploadFile(server, ada, 'again'));
  const parts = {
    row: { ...context, db: beforeTransactions(context.db, upload) },
    bytes: {
      ...context,
      blobs: { ...context.blobs, remove: async (...ids: BlobId[]) => (await upload(), context.blobs.remove(...ids)) },
    },
  };
  const { blobs } = await purge.run(runOf(server, { context: parts[what] }));
  expect(blobs).toBe(purged);
  expect(await (await fetch(fileUrl(server, name))).text()).toBe('again');
  expect(await storedNames(server)).toHaveLength(1);
});
