import { type PlanLevel, standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { type BlobId, BlobMissing, type BlobStore } from '../storage/blobs/blobs.ts';
import { createBlobCache } from './blob-cache.ts';

const size = 1_000;
const blob = (at: number) => `blob ${at}` as BlobId;

/** A store in which every blob has `size` bytes. It records every call. */
function openStore(stored = size) {
  const opened: BlobId[] = [];
  let closed = 0;
  const blobs: Pick<BlobStore, 'open'> = {
    async open(id) {
      opened.push(id);
      let left = stored;
      return {
        size: stored,
        version: id,
        async read(into) {
          const count = Math.min(left, into.length, 300);
          into.fill(id.charCodeAt(id.length - 1), 0, count);
          left -= count;
          return count;
        },
        async [Symbol.asyncDispose]() {
          closed += 1;
        },
      };
    },
  };
  return { blobs: blobs as BlobStore, opened, open: () => opened.length - closed };
}

test('a blob is read once and then served from memory', async () => {
  const { blobs, opened, open } = openStore();
  const cache = createBlobCache(standardPlans, blobs);
  const bytes = await cache.get(blob(1), size, 'free');
  expect(bytes).toEqual(Buffer.alloc(size, '1'));
  expect(cache.get(blob(1), size, 'free')).toBe(bytes);
  expect(opened).toEqual([blob(1)]);
  expect(open()).toBe(0);
  expect(cache.held).toBe(size);
});

test('concurrent requests for a blob share one read', async () => {
  const { blobs, opened } = openStore();
  const cache = createBlobCache(standardPlans, blobs);
  const all = await Promise.all(Array.from({ length: 50 }, async () => cache.get(blob(1), size, 'free')));
  expect(new Set(all).size).toBe(1);
  expect(opened).toHaveLength(1);
});

test.each([size - 1, size + 1])('a blob of %i bytes instead of 1,000 counts as missing', async (stored) => {
  const { blobs, open } = openStore(stored);
  const cache = createBlobCache(standardPlans, blobs);
  await expect(cache.get(blob(1), size, 'free')).rejects.toBeInstanceOf(BlobMissing);
  expect(cache.held).toBe(0);
  expect(open()).toBe(0);
  // The next call reads the blob again: a disk that comes back is used.
  await expect(cache.get(blob(1), size, 'free')).rejects.toBeInstanceOf(BlobMissing);
});

test('a forgotten blob is removed, also while it is being read', async () => {
  const { blobs, opened } = openStore();
  const cache = createBlobCache(standardPlans, blobs);
  await cache.get(blob(1), size, 'free');
  const reading = cache.get(blob(2), size, 'free');
  cache.forget([blob(1), blob(2), blob(3)]);
  await reading;
  expect(cache.held).toBe(0);
  await cache.get(blob(1), size, 'free');
  expect(opened).toEqual([blob(1), blob(2), blob(1)]);
});

test('the cache never exceeds its capacity, and evicts the least recently used blob first', async () => {
  const { blobs, opened } = openStore();
  const cache = createBlobCache(standardPlans, blobs, 3 * size);
  for (const at of [1, 2, 3, 1, 4]) await cache.get(blob(at), size, 'free');
  expect(cache.held).toBe(3 * size);
  opened.length = 0;
  for (const at of [1, 3, 4]) await cache.get(blob(at), size, 'free');
  expect(opened).toEqual([]);
  await cache.get(blob(2), size, 'free');
  expect(opened).toEqual([blob(2)]);
});

test.each<[PlanLevel, number]>([
  ['free', 0],
  ['starter', 10],
  ['basic', 20],
  ['advanced', 50],
  ['power', 80],
])('of 100 files of %s that are due, %i stay for one more round', async (level, stay) => {
  const { blobs } = openStore();
  const cache = createBlobCache(standardPlans, blobs, 1_000 * size);
  const fill = async (from: number, to: number, of: PlanLevel) => {
    for (let at = from; at < to; at += 1) await cache.get(blob(at), size, of);
  };
  const held = () => Array.from({ length: 100 }, (_, at) => blob(at)).filter((id) => cache.holds(id)).length;
  await fill(0, 100, level);
  await fill(100, 1_100 - stay, 'free');
  expect(held()).toBe(stay);
  await fill(1_100, 2_200, 'free');
  expect(held()).toBe(0);
});
