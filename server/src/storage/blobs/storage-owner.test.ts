import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { pino } from 'pino';
import { onTestFinished, expect, test } from 'vitest';
import { readerOf } from '../../lib/byte-reader.ts';
import { openSqlite } from '../db/sqlite.ts';
import { newBlobId } from './blob-id.ts';
import { type BlobStore, BlobsUnavailable } from './blobs.ts';
import { openDiskBlobs } from './disk.ts';
import { adoptStorage, checkStorage, OtherStorage, requireOwnStorage, writeOnlyToOwn } from './storage-owner.ts';

const write = (blobs: BlobStore) => blobs.write(newBlobId(), readerOf([Buffer.from('hello')]));

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

/** A storage, and the databases of two services. */
async function prepare() {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-owner-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = async () => {
    const db = await openSqlite(join(folder, `${randomUUID()}.db`), 'migrate', { log: pino({ enabled: false }) });
    onTestFinished(() => db.destroy());
    return db;
  };
  const openBlobs = async (name: string) => {
    const opened = await openDiskBlobs(join(folder, name));
    onTestFinished(() => opened[Symbol.asyncDispose]());
    return opened;
  };
  return { folder, openBlobs, blobs: await openBlobs('blobs'), ours: await open(), theirs: await open() };
}

test('of two services that begin with one storage at once, one writes', async () => {
  const { blobs, ours, theirs } = await prepare();
  const stores = [ours, theirs].flatMap((db) => [writeOnlyToOwn(blobs, db), writeOnlyToOwn(blobs, db)]);
  const ended = await Promise.allSettled(stores.map(write));
  const refused = ended.filter((each) => each.status === 'rejected');
  expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(OtherStorage), expect.any(OtherStorage)]);
});

test('a service that has marked its storage writes nothing to its database to look at the mark', async () => {
  const { blobs, ours } = await prepare();
  await requireOwnStorage({ db: ours, blobs });
  const full = ours.withPlugin({
    transformQuery({ node }) {
      if (node.kind !== 'SelectQueryNode') throw new Error('database or disk is full');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  expect(await requireOwnStorage({ db: full, blobs })).toMatchObject({ is: 'own' });
});

test('a service that started while its storage was away looks whose it is before it writes', async () => {
  const { blobs, ours, theirs } = await prepare();
  await checkStorage({ db: theirs, blobs });
  let isAway = true;
  const returning: BlobStore = {
    ...blobs,
    serviceId: () => (isAway ? Promise.reject(new BlobsUnavailable('away')) : blobs.serviceId()),
  };
  const [other, own] = [writeOnlyToOwn(returning, ours), writeOnlyToOwn(returning, theirs)];
  for (const store of [other, own]) await expect(write(store)).rejects.toThrow('away');
  isAway = false;
  for (let times = 0; times < 2; times += 1) await expect(write(other)).rejects.toThrow(OtherStorage);
  await write(own);
  // From now on it knows.
  isAway = true;
  await write(own);
});

test('a service that has marked a storage takes none without its mark, until an operator says so', async () => {
  const { blobs, openBlobs, folder, ours } = await prepare();
  await requireOwnStorage({ db: ours, blobs });
  const empty = await openBlobs('not mounted');
  const store = writeOnlyToOwn(empty, ours);
  for (const use of [() => write(store), () => store.probe(), () => requireOwnStorage({ db: ours, blobs: empty })])
    await expect(use()).rejects.toThrow(/Is its disk mounted\?.*'holdfast storage adopt'/s);
  expect(await filesIn(join(folder, 'not mounted'))).toEqual([]);
  expect(await adoptStorage({ db: ours, blobs: empty })).toBe(true);
  await write(store);
  expect(await adoptStorage({ db: ours, blobs: empty })).toBe(false);
});

test('an operator adopts no storage of another service', async () => {
  const { blobs, ours, theirs } = await prepare();
  await requireOwnStorage({ db: theirs, blobs });
  await expect(adoptStorage({ db: ours, blobs })).rejects.toThrow('belongs to the service');
});

/** Puts another folder in the place of a storage, as a mount or its end does. */
async function prepareSwap() {
  const { blobs, folder, ours, openBlobs } = await prepare();
  const [path, away] = [join(folder, 'blobs'), join(folder, 'away')];
  const store = writeOnlyToOwn(blobs, ours);
  await write(store);
  await openBlobs('below');
  const swap = async () => {
    await rename(path, away);
    await rename(join(folder, 'below'), path);
  };
  const swapBack = async () => {
    await rename(path, join(folder, 'below'));
    await rename(away, path);
  };
  return { store, path, away, swap, swapBack };
}

test('a storage that is unmounted takes no bytes, and those of before and after are in it', async () => {
  const { store, path, away, swap, swapBack } = await prepareSwap();
  await swap();
  for (let times = 0; times < 2; times += 1) await expect(write(store)).rejects.toThrow('Is its disk mounted?');
  await expect(store.probe()).rejects.toThrow('Is its disk mounted?');
  expect(await filesIn(path)).toEqual([]);
  expect(await filesIn(away)).toHaveLength(2);
  await swapBack();
  await store.probe();
  await write(store);
  expect(await filesIn(path)).toHaveLength(3);
});

test.each([10, 5_000_000])('a write of %i bytes during which the storage is replaced fails', async (size) => {
  const { store, path, swap, swapBack } = await prepareSwap();
  async function* source(replace: () => Promise<void>) {
    yield Buffer.alloc(size);
    await replace();
  }
  await expect(store.write(newBlobId(), readerOf(source(swap)))).rejects.toThrow('Is its disk mounted?');
  expect(await filesIn(path)).toEqual([]);
  await swapBack();
  const before = await filesIn(path);
  await write(store);
  expect(await filesIn(path)).toHaveLength(before.length + 1);
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
