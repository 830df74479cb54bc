/** Uploads stop before the disk is full: `MIN_FREE_SPACE`. */
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { expect, onTestFinished, vi } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { StorageFull } from '../../src/storage/blobs/blobs.ts';
import { openFreeSpace } from '../../src/storage/blobs/free-space.ts';
import { createReadiness } from '../../src/monitoring/readiness.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { beforeCommits } from '../harness/before-transactions.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';
import { test } from '../harness/server-test.ts';

const full = { success: false, status: 507, error: 'The storage is full. Try again later.' };

/** From now on the disk has this many bytes free, as far as the server knows. */
function leave(server: TestServer, free: number): void {
  const { freeSpace } = server.context.blobs;
  Object.assign(freeSpace, { room: async () => free });
}

test('with less free space than the setting wants, uploads get 507, downloads go on, and nothing is left behind', async ({
  skip,
}) => {
  skip(bytesAreOnS3, 'An S3 store does not tell how much is free.');
  await using before = await startServer();
  const { bavail, bsize } = await statfs(before.dataDir);
  await using server = await startServer({ MIN_FREE_SPACE: `${Math.ceil((bavail * bsize) / 1e9) + 100} GB` });
  const ada = await signUpAndIn(server);
  expect(await sendForm(server, ada, formWith('hello'))).toMatchObject(full);
  expect(await storedNames(server)).toEqual([]);
  expect(await ada.byKey.getAccountInfo()).toMatchObject({ account: { usage: { space_used: 0, slots_used: 0 } } });
  expect(server.log.filter((line) => line.includes('ALARM: uploads are refused, because '))).toHaveLength(1);
  const readiness = createReadiness(server.context);
  expect(await readiness()).toMatchObject({
    status: 200,
    body: expect.stringMatching(
      /^degraded\n[^]*\nspace: uploads are refused, because [0-9.]+ GB are free and MIN_FREE_SPACE is [0-9.]+ GB\nversion: .+\n$/,
    ) as string,
  });
});

test('a declared size that would leave too little is refused before the bytes are sent, a smaller one is stored', async ({
  server,
}) => {
  const ada = await signUpAndIn(server);
  const kept = await uploadFile(server, ada, 'kept');
  leave(server, 1_000_000);
  expect(await sendForm(server, ada, formWith(randomBytes(2_000_000)))).toMatchObject(full);
  const small = await sendForm(server, ada, formWith(randomBytes(1_000)));
  expect(small).toMatchObject({ success: true });
  for (const name of [kept, storedNameOf(small.url)]) expect((await fetch(fileUrl(server, name))).status).toBe(200);
});

test('uploads under way count before their bytes are written', async ({ server }) => {
  const ada = await signUpAndIn(server);
  leave(server, 10_000_000);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => sendForm(server, ada, formWith(new Uint8Array(3_000_000)))),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 507, 507]);
});

test('room that an upload did not use is free at once, and what it wrote counts until the next look', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let free = 100;
  const none = { minFreeSpace: { bytes: 0, percent: 0 }, database: { engine: 'postgres' } } as Config;
  const log = { error() {}, info() {} };
  const freeSpace = openFreeSpace({ space: async () => ({ free, total: 100 }) }, none, log, () => Infinity);
  const first = await freeSpace.admit(60);
  expect(await freeSpace.admit(60)).toBeNull();
  first?.note(30);
  free = 70;
  first?.[Symbol.dispose]();
  expect(await freeSpace.admit(71)).toBeNull();
  const second = await freeSpace.admit(70);
  second?.note(90);
  vi.advanceTimersByTime(1_000);
  free = 5;
  expect(await freeSpace.admit(6)).toBeNull();
  expect(await freeSpace.admit(5)).not.toBeNull();
});

test('an upload that others leave no space for ends with 507, and its bytes are removed', async ({ server }) => {
  const ada = await signUpAndIn(server, { plan: 'house' });
  let looks = 0;
  // There is room when it begins, and none at the first look after that.
  Object.assign(server.context.blobs.freeSpace, { room: async () => ((looks += 1) === 1 ? Infinity : -1) });
  expect(await sendForm(server, ada, formWith(new Uint8Array(40_000_000)))).toMatchObject(full);
  expect(looks).toBe(2);
  expect(await storedNames(server)).toEqual([]);
});

test('a full disk of the database refuses uploads, and a full storage leaves the process ready', async ({ server }) => {
  const { context } = server;
  const space = async () => ({ free: 1e12, total: 1e12 });
  const freeSpace = openFreeSpace({ space }, context.config, context.log, () => 31e6);
  expect(await freeSpace.room()).toBeLessThan(0);
  expect(await freeSpace.problem()).toBe('uploads are refused, because the disk of the database has only 0.03 GB free');
  Object.assign(context.blobs, { probe: () => Promise.reject(new StorageFull(new Error('ENOSPC'))) });
  expect(await createReadiness(context)()).toMatchObject({
    status: 200,
    body: expect.stringContaining('storage: ok\nspace: uploads are refused, because the storage is full\n') as string,
  });
});

test('an upload whose commit finds the disk full ends with 507, and its bytes are removed', async ({ server }) => {
  const { context } = server;
  const ada = await signUpAndIn(server);
  const full13 = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  // SQLite reports it at the commit when the log of the database cannot grow, and has rolled back by then.
  Object.assign(context, { db: beforeCommits(context.db, () => Promise.reject(full13)) });
  for (let times = 0; times < 3; times += 1) expect(await sendForm(server, ada, formWith('hello'))).toMatchObject(full);
  expect(await storedNames(server)).toEqual([]);
});
