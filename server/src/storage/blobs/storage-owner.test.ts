import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished, expect, test } from 'vitest';
import { readerOf } from '../../lib/byte-reader.ts';
import { openSqlite } from '../db/sqlite.ts';
import { newBlobId } from './blob-id.ts';
import { type BlobStore, BlobsUnavailable } from './blobs.ts';
import { openDiskBlobs } from './disk.ts';
import { checkStorage, OtherStorage, requireOwnStorage, writeOnlyToOwn } from './storage-owner.ts';

const write = (blobs: BlobStore) => blobs.write(newBlobId(), readerOf([Buffer.from('hello')]));

/** A storage, and the databases of two services. */
async function prepare() {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-owner-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = async () => {
    const db = await openSqlite(join(folder, `${randomUUID()}.db`), 'migrate', { log: pino({ enabled: false }) });
    onTestFinished(() => db.destroy());
    return db;
  };
  const blobs = await openDiskBlobs(join(folder, 'blobs'));
  onTestFinished(() => blobs[Symbol.asyncDispose]());
  return { blobs, ours: await open(), theirs: await open() };
}

test('of two services that begin with one storage at once, one writes', async () => {
  const { blobs, ours, theirs } = await prepare();
  const stores = [ours, theirs].flatMap((db) => [writeOnlyToOwn(blobs, db), writeOnlyToOwn(blobs, db)]);
  const ended = await Promise.allSettled(stores.map(write));
  const refused = ended.filter((each) => each.status === 'rejected');
  expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(OtherStorage), expect.any(OtherStorage)]);
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
