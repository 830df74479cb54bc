/** The owner's view of files deleted by rules and of those to be deleted next. */
import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { expect } from 'vitest';
import { hours } from '../../src/lib/clock.ts';
import { noteActivity } from '../../src/files/remove-files.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { shareServer } from '../harness/server-test.ts';

const { server: shared, test } = await shareServer();

async function note(server: TestServer, { email }: SignedIn, event: ActivityEvent, ...names: readonly string[]) {
  const { db, clock } = server.context;
  const { id } = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  const files = names.map((name) => ({ name, original_name: `${name}.txt`, size: name.length }));
  await db.transaction().execute((tx) => noteActivity(tx, { accountId: id, event, now: clock.now() }, files));
}

test('the activity log lists events page by page, the latest first', async ({ account }) => {
  const { client } = account.browser;
  expect(await client.getActivity({ query: {} })).toMatchObject({
    activity: [],
    pagination: { page: 1, limit: 50, total: 0 },
  });
  for (const [at, event] of (['inactivity', 'malware', 'restored'] as const).entries()) {
    shared.clock.advance(1_000);
    await note(shared, account, event, `file${at}`);
  }
  const happened = new Date(shared.clock.now()).toISOString();
  const first = await client.getActivity({ query: { limit: 2 } });
  expect(first).toMatchObject({
    activity: [
      { event: 'restored', name: 'file2', original_name: 'file2.txt', size: 5, happened },
      { event: 'malware', name: 'file1' },
    ],
    pagination: { page: 1, limit: 2, total: 3 },
  });
  const second = await client.getActivity({ query: { limit: 2, page: 2 } });
  expect(second).toMatchObject({ activity: [{ event: 'inactivity', name: 'file0' }], pagination: { total: 3 } });
  expect((await client.getActivity({ query: { page: 3 } })).activity).toEqual([]);
  expect(await client.getActivity({ query: { event: 'malware' } })).toMatchObject({
    activity: [{ name: 'file1' }],
    pagination: { total: 1 },
  });
});

test('what a rule deletes within an hour is one entry, and what a person decides an entry for each file', async () => {
  const account = await signUpAndIn(shared);
  const list = async () => (await account.browser.client.getActivity({ query: {} })).activity;
  await note(shared, account, 'continuous_uploading', 'a', 'bb');
  await note(shared, account, 'inactivity', 'c');
  await note(shared, account, 'takedown', 'd', 'e');
  shared.clock.advance(hours(1) - 1);
  await note(shared, account, 'continuous_uploading', 'ffff');
  const ofHour = { event: 'continuous_uploading', name: 'a', original_name: 'a.txt', size: 7, files: 3 };
  expect(await list()).toHaveLength(4);
  expect(await list()).toContainEqual(expect.objectContaining(ofHour));
  shared.clock.advance(1);
  await note(shared, account, 'continuous_uploading', 'g');
  expect((await list())[0]).toMatchObject({ event: 'continuous_uploading', name: 'g', files: 1 });
});

test('the activity of another account is not readable', async () => {
  const [owner, other] = [await signUpAndIn(shared), await signUpAndIn(shared)];
  await note(shared, owner, 'takedown', 'mine');
  expect((await other.browser.client.getActivity({ query: {} })).pagination.total).toBe(0);
  expect((await owner.browser.client.getActivity({ query: {} })).pagination.total).toBe(1);
});

test.each([
  ['limit', '101'],
  ['page', 'x'],
  ['event', 'storm'],
])('an activity log with %s=%s is refused by the name of the parameter', async (parameter, value) => {
  const { browser } = await signUpAndIn(shared);
  await expect(browser.client.getActivity({ query: { [parameter]: value } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(`'${parameter}'`),
  });
});

test('the eviction preview lists the ten oldest files without favorites, and their total', async () => {
  const [account, other] = [await signUpAndIn(shared), await signUpAndIn(shared)];
  await uploadFile(shared, other);
  const names: string[] = [];
  for (let at = 0; at < 14; at += 1) {
    names.push(await uploadFile(shared, account, `${at}`, `${at}.txt`));
    shared.clock.advance(1_000);
  }
  const [first = '', second = '', third = ''] = names;
  await account.byKey.toggleFavorite({ body: { file: first } });
  await account.byKey.toggleFavorite({ body: { file: third } });
  await account.byKey.deleteFiles({ body: { files: [second] } });
  const { files, total, size } = await account.browser.client.getEvictionPreview({ query: {} });
  expect(files.map(({ name }) => name)).toEqual(names.slice(3, 13));
  expect(files[0]).toMatchObject({ original_name: '3.txt', size: 1 });
  expect(Date.parse(files[1]?.time_added ?? '') - Date.parse(files[0]?.time_added ?? '')).toBe(1_000);
  expect({ total, size }).toEqual({ total: 11, size: 15 });
});
