import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished, expect, test } from 'vitest';
import { readerOf } from '../../lib/byte-reader.ts';
import { minutes } from '../../lib/clock.ts';
import { openSqlite } from '../db/sqlite.ts';
import { newBlobId } from './blob-id.ts';
import { type BlobStore, BlobsUnavailable } from './blobs.ts';
import { openDiskBlobs } from './disk.ts';
import { checkStorage, OtherStorage, requireOwnStorage, writeOnlyToOwn } from './storage-owner.ts';

const bytes = async function* () {
  yield Buffer.from('hello');
};
const write = (blobs: BlobStore) => blobs.write(newBlobId(), readerOf(bytes()));

/** A storage, and the databases of two services. */
async function prepare() {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-owner-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = async () => {
    const db = await openSqlite(join(folder, `${randomUUID()}.db`), 'migrate', { log: pino({ enabled: false }) });
    onTestFinished(() => db.destroy());
    return db;
  };
  const blobs = await openDiskBlobs(join(folder, 'blobs'), { sweepsItself: false });
  onTestFinished(() => blobs[Symbol.asyncDispose]());
  let time = 0;
  const alarms: string[] = [];
  const ownedBy = (db: Awaited<ReturnType<typeof open>>, at: BlobStore = blobs) =>
    writeOnlyToOwn(at, db, { onOther: ({ message }) => void alarms.push(message), now: () => time });
  const storedBlobs = async () => {
    let count = 0;
    for await (const _ of blobs.list()) count += 1;
    return count;
  };
  return {
    blobs,
    ours: await open(),
    theirs: await open(),
    ownedBy,
    alarms,
    storedBlobs,
    pass: (ms: number) => (time += ms),
  };
}

test('of two services that begin with one storage at once, one writes', async () => {
  const { ours, theirs, ownedBy, storedBlobs, alarms } = await prepare();
  const ended = await Promise.allSettled([ours, theirs].flatMap((db) => [write(ownedBy(db)), write(ownedBy(db))]));
  const refused = ended.filter((each) => each.status === 'rejected');
  expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(OtherStorage), expect.any(OtherStorage)]);
  expect(await storedBlobs()).toBe(2);
  expect(alarms).toEqual([]);
});

test('a service that started while its storage was away looks whose it is before it writes', async () => {
  const { blobs, ours, theirs, ownedBy, storedBlobs } = await prepare();
  await checkStorage({ db: theirs, blobs });
  let isAway = true;
  const returning: BlobStore = {
    ...blobs,
    serviceId: () => (isAway ? Promise.reject(new BlobsUnavailable('away')) : blobs.serviceId()),
  };
  const [owned, own] = [ownedBy(ours, returning), ownedBy(theirs, returning)];
  for (const store of [owned, own]) await expect(write(store)).rejects.toThrow('away');
  isAway = false;
  for (let times = 0; times < 2; times += 1) await expect(write(owned)).rejects.toThrow(OtherStorage);
  await write(own);
  expect(await storedBlobs()).toBe(1);
});

test('a service whose storage another one has taken is told once and writes no more, until it has it again', async () => {
  const { blobs, ours, ownedBy, alarms, pass } = await prepare();
  const owned = ownedBy(ours);
  await write(owned);
  const mark = await blobs.serviceId();
  await blobs.markService('another');
  await write(owned);
  expect(alarms).toEqual([]);
  pass(minutes(61));
  // This one only begins the look.
  await write(owned);
  await expect.poll(() => alarms).toHaveLength(1);
  await expect(write(owned)).rejects.toThrow('The storage belongs to the service another');
  expect(alarms).toHaveLength(1);
  await blobs.markService(mark ?? '');
  await write(owned);
});

test('while the storage does not say whose it is, a service that knew writes on, and looks again each hour', async () => {
  const { blobs, ours, ownedBy, pass } = await prepare();
  let looks = 0;
  let fails = false;
  const counted: BlobStore = {
    ...blobs,
    async serviceId() {
      const id = await blobs.serviceId();
      looks += 1;
      if (fails) throw new BlobsUnavailable('away');
      return id;
    },
  };
  const owned = ownedBy(ours, counted);
  await write(owned);
  pass(minutes(59));
  await write(owned);
  expect(looks).toBe(1);
  pass(minutes(2));
  fails = true;
  await write(owned);
  await expect.poll(() => looks).toBe(2);
  await write(owned);
});

test('a service that is moved out of a storage, or into one, still has it, and sweeps nothing there', async () => {
  const { blobs, ours } = await prepare();
  await checkStorage({ db: ours, blobs });
  const own = await blobs.serviceId();
  for (const state of ['moving-in:', 'moved-out:']) {
    await blobs.markService(`${state}${own}`);
    await requireOwnStorage({ db: ours, blobs });
    await expect(checkStorage({ db: ours, blobs })).rejects.toThrow(OtherStorage);
  }
});
