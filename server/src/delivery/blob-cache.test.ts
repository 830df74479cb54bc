import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { createTestClock } from '@holdfast/test-support/test-clock.ts';
import { expect, test } from 'vitest';
import { minutes } from '../lib/clock.ts';
import { type BlobId, BlobMissing, type BlobStore } from '../storage/blobs/blobs.ts';
import { createBlobCache } from './blob-cache.ts';

const size = 1_000;
const blob = (at: number) => `blob ${at}` as BlobId;

/** A cache of a store in which every blob has `stored` bytes. */
function openCache({ stored = size, maxBytes = 1_000 * size } = {}) {
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
  const clock = createTestClock();
  const cache = createBlobCache({ config: { plans: standardPlans }, blobs: blobs as BlobStore, clock }, maxBytes);
  return { cache, clock, opened, open: () => opened.length - closed };
}

test('a blob is read once and then served from memory, for ten minutes', async () => {
  const { cache, clock, opened, open } = openCache();
  const [bytes, again] = await Promise.all([1, 2].map(async () => cache.get(blob(1), size, 'free')));
  expect(bytes).toEqual(Buffer.alloc(size, '1'));
  expect(again).toBe(bytes);
  clock.advance(minutes(9));
  expect(cache.get(blob(1), size, 'free')).toBe(bytes);
  expect(opened).toEqual([blob(1)]);
  clock.advance(minutes(1));
  expect(cache.holds(blob(1))).toBe(false);
  expect(await cache.get(blob(1), size, 'free')).toEqual(bytes);
  expect(opened).toEqual([blob(1), blob(1)]);
  expect(open()).toBe(0);
});

test.each([size - 1, size + 1])('a blob of %i bytes instead of 1,000 counts as missing', async (stored) => {
  const { cache, opened, open } = openCache({ stored });
  // The second call reads the blob again: a disk that comes back is used.
  for (const _ of [1, 2]) await expect(cache.get(blob(1), size, 'free')).rejects.toBeInstanceOf(BlobMissing);
  expect(opened).toHaveLength(2);
  expect(open()).toBe(0);
});

test('a full cache evicts the least recently used blob', async () => {
  const { cache } = openCache({ maxBytes: 3 * size });
  for (const at of [1, 2, 3, 1, 4]) await cache.get(blob(at), size, 'free');
  expect([1, 2, 3, 4].filter((at) => cache.holds(blob(at)))).toEqual([1, 3, 4]);
});

test.each([
  ['free', 0],
  ['starter', 10],
  ['power', 80],
] as const)('of 100 files of %s that are due, %i stay for one more round', async (level, stay) => {
  const { cache } = openCache();
  const fill = async (from: number, to: number, of: typeof level) => {
    for (let at = from; at < to; at += 1) await cache.get(blob(at), size, of);
  };
  const held = () => Array.from({ length: 100 }, (_, at) => blob(at)).filter((id) => cache.holds(id)).length;
  await fill(0, 100, level);
  await fill(100, 1_100 - stay, 'free');
  expect(held()).toBe(stay);
  await fill(1_100, 2_200, 'free');
  expect(held()).toBe(0);
});
