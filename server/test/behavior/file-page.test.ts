/** A file's own page: its facts, and its hits by day. */
import { expect } from 'vitest';
import { days } from '../../src/lib/clock.ts';
import { getFile } from '../../src/files/get-file.ts';
import { openHitCounter } from '../../src/delivery/hits.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { test } from '../harness/server-test.ts';
import type { TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

const pageOf = ({ browser }: SignedIn, file: string) => browser.client.getFile({ query: { file } });
const today = ({ clock }: TestServer) => new Date(clock.now()).toISOString().slice(0, 10);
const rowsOf = ({ context: { db } }: TestServer) => db.selectFrom('hit_days').selectAll().execute();

/** At noon, so that hits half a minute apart are of one day. */
function goToNoon({ clock }: TestServer): void {
  clock.advance(days(1) - (clock.now() % days(1)) + days(0.5));
}

/** An address counts once in 30 seconds. */
async function hit(server: TestServer, name: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await (await fetch(fileUrl(server, name))).arrayBuffer();
    server.clock.advance(31_000);
  }
  await server.hits.flush();
}

test('the hits of each day are counted, and only the first of a day writes', async ({ server, account }) => {
  const name = await uploadFile(server, account);
  goToNoon(server);
  const first = today(server);
  await hit(server, name, 2);
  const rows = await rowsOf(server);
  await hit(server, name);
  expect(await rowsOf(server)).toEqual(rows);
  server.clock.advance(days(3));
  const later = today(server);
  await hit(server, name, 4);
  const { file, hits_by_day } = await pageOf(account, name);
  expect(hits_by_day).toEqual([
    { day: first, hits: 3 },
    { day: later, hits: 4 },
  ]);
  expect(file).toEqual((await account.byKey.getFileList({ query: {} })).files[0]);
  expect(file.hits).toBe(7);
});

test('hits from before the days were counted are in no day', async ({ server, account }) => {
  const name = await uploadFile(server, account);
  await server.context.db.updateTable('files').set({ hits: 1_000 }).execute();
  goToNoon(server);
  await hit(server, name, 2);
  const { file, hits_by_day } = await pageOf(account, name);
  expect(file.hits).toBe(1_002);
  expect(hits_by_day).toEqual([{ day: today(server), hits: 2 }]);
});

test('processes that count at the same time, or are started again, lose no hit and count none twice', async ({
  server,
  account,
}) => {
  const name = await uploadFile(server, account);
  const { id } = await server.context.db.selectFrom('files').select('id').executeTakeFirstOrThrow();
  goToNoon(server);
  for (let round = 0; round < 3; round += 1) {
    await using one = openHitCounter(server.context);
    await using other = openHitCounter(server.context);
    for (let time = 0; time < 5; time += 1) {
      one.note(id, 'hit');
      other.note(id, 'hit');
    }
    await Promise.all([one.flush(), other.flush()]);
  }
  const { file, hits_by_day } = await pageOf(account, name);
  expect(file.hits).toBe(30);
  expect(hits_by_day.reduce((sum, { hits }) => sum + hits, 0)).toBe(30);
});

test('days older than a year are left out, and at most 366 are kept', async ({ server, account }) => {
  const name = await uploadFile(server, account);
  for (let day = 0; day < 370; day += 1) {
    goToNoon(server);
    await hit(server, name);
  }
  // The session has ended.
  const page = async () => getFile(server.context, await keyCaller(server, account), name);
  expect((await page()).hits_by_day).toHaveLength(366);
  expect(JSON.parse((await rowsOf(server))[0]?.days ?? '')).toHaveLength(366);
  server.clock.advance(days(360));
  expect((await page()).hits_by_day).toHaveLength(6);
});

test('the days are kept while a deleted file can be restored, and are deleted with its name', async ({
  server,
  account,
}) => {
  const [gone, kept] = [await uploadFile(server, account, 'gone'), await uploadFile(server, account, 'kept')];
  goToNoon(server);
  await hit(server, gone);
  await hit(server, kept);
  const before = await pageOf(account, gone);
  await account.byKey.deleteFiles({ body: { files: [gone] } });
  await expect(pageOf(account, gone)).rejects.toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
  await account.byKey.restoreFiles({ body: { files: [gone] } });
  expect(await pageOf(account, gone)).toEqual(before);
  await account.byKey.deleteFiles({ body: { files: [gone] } });
  server.clock.advance(days(1));
  await server.runJob('purge');
  expect(await rowsOf(server)).toHaveLength(1);
  expect((await pageOf(account, kept)).hits_by_day).toHaveLength(1);
});

test("another account's file is not found", async ({ server, account }) => {
  const other = await signUpAndIn(server);
  await expect(pageOf(account, await uploadFile(server, other))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  await expect(pageOf(account, '../x')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
