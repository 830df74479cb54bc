/** Owners restore what they, or a rule of their account, deleted within a day. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { days, hours } from '../../src/lib/clock.ts';
import { purgeDeleted } from '../../src/jobs/purge.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { onlyHoldOn, restore } from '../../src/moderation/restore-file.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { stateOf, sumsOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { runOf } from '../harness/run-of.ts';
import { test } from '../harness/server-test.ts';
import { download, fileUrl, sha256, uploadFile } from '../harness/uploads.ts';

const quota = 500_000_000;
const actor = { operator: 'ada', action: 'file take-down' };

const remove = (account: SignedIn, ...files: string[]) => account.byKey.deleteFiles({ body: { files } });
const undo = async (account: SignedIn, ...files: string[]) =>
  (await account.byKey.restoreFiles({ body: { files } })).restored;
const deletedOf = ({ browser }: SignedIn) => browser.client.getDeletedFiles();

test('a deleted file is restored under its link, with its name, hits and mark', async ({ server, account }) => {
  const name = await uploadFile(server, account, 'mine', 'My Song.mp3');
  await account.byKey.toggleFavorite({ body: { file: name } });
  await download(server, name);
  await server.hits.flush();
  const before = (await account.byKey.getFileList({ query: {} })).files;
  await remove(account, name);
  server.clock.advance(hours(24) - 1);
  await server.runJob('purge');
  expect(await undo(account, name)).toEqual([name]);
  expect(await download(server, name)).toBe(sha256('mine'));
  const { files, account_usage } = await account.byKey.getFileList({ query: {} });
  expect(files).toEqual(before);
  expect(account_usage).toEqual({ space_used: 4, slots_used: 1 });
  server.clock.advance(days(30));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0, names: 0 });
  expect(await download(server, name)).toBe(sha256('mine'));
});

test('a day after its deletion a file is neither listed nor restored, purged or not', async ({ server, account }) => {
  const names = [await uploadFile(server, account, 'one'), await uploadFile(server, account, 'two')] as const;
  await uploadFile(server, await signUpAndIn(server), 'two');
  await remove(account, ...names);
  expect((await deletedOf(account)).files).toHaveLength(2);
  server.clock.advance(hours(24));
  expect(await deletedOf(account)).toEqual({ files: [], more: false });
  expect(await undo(account, ...names)).toEqual([]);
  await server.runJob('purge');
  expect(await undo(account, ...names)).toEqual([]);
});

test('what an operator purged at once is not restored, although another file has its bytes', async ({
  server,
  account,
}) => {
  const names = [await uploadFile(server, account, 'one'), await uploadFile(server, account, 'two')] as const;
  await uploadFile(server, await signUpAndIn(server), 'two');
  await remove(account, ...names);
  await purgeDeleted(runOf(server), 0);
  await uploadFile(server, await signUpAndIn(server), 'one');
  expect(await deletedOf(account)).toEqual({ files: [], more: false });
  expect(await undo(account, ...names)).toEqual([]);
  expect((await stateOf(server, account)).slots_used).toBe(0);
});

test('the list names the files, the newest first, with who deleted them', async ({ server, account }) => {
  const [first, second, third] = [
    await uploadFile(server, account, 'a', 'first.txt'),
    await uploadFile(server, account, 'bb', 'second.png'),
    await uploadFile(server, account, 'ccc', 'third.md'),
  ];
  await remove(account, second);
  server.clock.advance(1_000);
  await account.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 1 } });
  await account.byKey.toggleFavorite({ body: { file: third } });
  server.clock.advance(days(2) + hours(1) - 1_000);
  await server.runJob('auto-delete', { allowed: 10 });
  await remove(account, third);
  const { files } = await deletedOf(account);
  expect(files).toMatchObject([
    { name: third, original_name: 'third.md', extension: 'md', size: 3, reason: 'owner' },
    { name: first, original_name: 'first.txt', extension: 'txt', size: 1, reason: 'inactivity' },
  ]);
  expect(await undo(account, first, third)).toEqual([first, third]);
  // The days of auto-delete begin anew.
  server.clock.advance(days(1));
  await server.runJob('auto-delete', { allowed: 10 });
  expect((await stateOf(server, account)).names).toEqual([first, third]);
});

test('without space for all of them none is restored, and usage stays exact', async ({ server, account }) => {
  const [one = '', two = ''] = await storeRows(server, account, [{ size: 100 }, { size: 100 }]);
  await remove(account, one, two);
  await storeRows(server, account, [{ size: quota - 150 }]);
  const before = await stateOf(server, account);
  const refused = { status: 403, code: 'QUOTA_EXCEEDED' };
  await expect(account.byKey.restoreFiles({ body: { files: [one, two] } })).rejects.toMatchObject(refused);
  expect(await stateOf(server, account)).toEqual(before);
  expect(await undo(account, two)).toEqual([two]);
  await expect(account.byKey.restoreFiles({ body: { files: [one] } })).rejects.toMatchObject(refused);
  const state = await stateOf(server, account);
  expect(state).toMatchObject({ ...sumsOf(state), space_used: quota - 50, slots_used: 2 });
});

test('files that Continuous Uploading deleted are restored if there is space, and are its oldest again', async ({
  server,
  account,
}) => {
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  const [first = '', rest = ''] = await storeRows(server, account, [{ size: 10 }, { size: quota - 10 }]);
  const third = await uploadFile(server, account, randomBytes(5));
  await expect(undo(account, first)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  expect((await deletedOf(account)).files).toMatchObject([{ name: first, reason: 'continuous_uploading' }]);
  await remove(account, rest);
  expect(await undo(account, first)).toEqual([first]);
  await storeRows(server, account, [{ size: quota - 20 }]);
  await uploadFile(server, account, randomBytes(6));
  const state = await stateOf(server, account);
  expect(state.names).not.toContain(first);
  expect(state.names).toContain(third);
  expect(state).toMatchObject(sumsOf(state));
});

test('a file that was taken down or quarantined cannot be restored by its owner', async ({ server, account }) => {
  const { context } = server;
  const names = [
    await uploadFile(server, account, 'a song'),
    await uploadFile(server, account, 'a virus'),
    await uploadFile(server, account, 'removed before'),
  ] as const;
  await remove(account, names[2]);
  await takeDown(context, actor, await findBytes(context, names[0]), 'C-1');
  await quarantine(context, await findBytes(context, names[1]), 'Bad.Thing');
  await takeDown(context, actor, await findBytes(context, names[2]), 'C-2');
  expect(await deletedOf(account)).toEqual({ files: [], more: false });
  expect(await undo(account, ...names)).toEqual([]);
  for (const name of names) expect(await download(server, name)).toBe(404);
  // The operator lifts the hold: what the owner had deleted stays deleted, and can be restored.
  const found = await findBytes(context, names[2]);
  await restore(context, { actor, bytes: found, hold: await onlyHoldOn(context, found), overQuota: false });
  expect(await download(server, names[2])).toBe(404);
  expect(await undo(account, ...names)).toEqual([names[2]]);
  const state = await stateOf(server, account);
  expect(state).toMatchObject({ ...sumsOf(state), slots_used: 1 });
});

test('a takedown or a purge that comes between the call and its transaction wins', async ({ server, account }) => {
  const { context } = server;
  const { db } = context;
  const ways = [
    async (name: string) => takeDown({ ...context, db }, actor, await findBytes({ db }, name), 'C-1'),
    async () => purgeDeleted(runOf(server, { context: { ...context, db } }), 0),
  ];
  const names = [await uploadFile(server, account, 'a song'), await uploadFile(server, account, 'another')] as const;
  for (const name of names) {
    await remove(account, name);
    let way = ways.shift();
    Object.assign(context, {
      db: beforeTransactions(db, async () => {
        const come = way;
        way = undefined;
        await come?.(name);
      }),
    });
    expect(await undo(account, name)).toEqual([]);
    expect(await download(server, name)).toBe(404);
  }
  expect((await stateOf(server, account)).slots_used).toBe(0);
});

test("another account's file, a live file, an unknown name and a closed account's files are ignored", async ({
  server,
  account,
}) => {
  const other = await signUpAndIn(server);
  const [hers, live] = [await uploadFile(server, other, 'hers'), await uploadFile(server, account, 'live')];
  await remove(other, hers);
  expect(await undo(account, hers, live, 'nosuchfile', '\0')).toEqual([]);
  expect(await download(server, hers)).toBe(404);
  await other.browser.client.deleteAccount();
  await expect(undo(other, hers)).rejects.toMatchObject({ status: 401 });
  const state = await stateOf(server, account);
  expect(state).toMatchObject({ ...sumsOf(state), slots_used: 1 });
});

test('50 restorations at once restore each file once, and usage stays exact', async ({ server, account }) => {
  const names = await Promise.all([1, 2, 3].map((size) => uploadFile(server, account, 'x'.repeat(size))));
  const twin = await uploadFile(server, account, 'xx');
  await remove(account, ...names, twin);
  const { client } = account.browser;
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, at) => client.restoreFiles({ body: { files: at % 2 ? names : [twin, ...names] } })),
  );
  expect(replies.flatMap(({ restored }) => restored).toSorted()).toEqual([twin, ...names].toSorted());
  const state = await stateOf(server, account);
  expect(state).toMatchObject({ ...sumsOf(state), space_used: 8, slots_used: 4 });
  expect(state.blobs.reduce((uses, { used_by }) => uses + used_by, 0)).toBe(4);
  expect(state.blobs.every(({ unused_since }) => unused_since === null)).toBe(true);
});

test('restorations, deletions and uploads at once never exceed the quota', async ({ server, account }) => {
  const names = await storeRows(
    server,
    account,
    Array.from({ length: 20 }, () => ({ size: quota / 20 })),
  );
  const { client } = account.browser;
  await remove(account, ...names);
  const calls = names.map(async (name, at) => {
    await client.restoreFiles({ body: { files: [name] } }).catch(() => {});
    if (at % 3 === 0) await client.deleteFiles({ body: { files: [name] } }).catch(() => {});
  });
  const uploads = Array.from({ length: 4 }, () => uploadFile(server, account, 'new').catch(() => {}));
  await Promise.all([...calls, ...uploads]);
  const state = await stateOf(server, account);
  expect(state).toMatchObject(sumsOf(state));
  expect(state.space_used).toBeLessThanOrEqual(quota);
});

test('a file that was deleted while it waited for its scan is served once its bytes are clean', async ({
  server,
  account,
}) => {
  const name = await uploadFile(server, account, 'waits');
  const { db } = server.context;
  await db.updateTable('files').set({ pending_scan: 1 }).execute();
  await db.updateTable('blobs').set({ scan_state: 'pending' }).execute();
  await remove(account, name);
  await undo(account, name);
  expect((await fetch(fileUrl(server, name))).status).toBe(503);
  await remove(account, name);
  await db.updateTable('blobs').set({ scan_state: 'clean' }).execute();
  await undo(account, name);
  expect((await fetch(fileUrl(server, name))).status).toBe(200);
});

test('the newest 500 are listed, and with those restored the rest', async ({ server }) => {
  const account = await signUpAndIn(server, { plan: 'starter' });
  const names = await storeRows(
    server,
    account,
    Array.from({ length: 502 }, () => ({ size: 1 })),
  );
  await remove(account, ...names.slice(0, 250));
  server.clock.advance(1);
  await remove(account, ...names.slice(250));
  const { files, more } = await deletedOf(account);
  expect(more).toBe(true);
  expect(files).toHaveLength(500);
  await undo(account, ...files.map((file) => file.name));
  expect(await deletedOf(account)).toMatchObject({ files: { length: 2 }, more: false });
});
