import { expect, test } from 'vitest';
import { hours, seconds } from '../../lib/clock.ts';
import { createEmptyBuckets } from './empty-buckets.ts';

const limit = { capacity: 4, everyMs: 250 };
const hourly = { capacity: 1, everyMs: hours(1) };

/** A bucket in a database with a clock of its own, asked by a process that began much later. */
function openBucket({ capacity, everyMs } = limit) {
  let now = 0;
  let asked = 0;
  let fullAt = 0;
  const buckets = createEmptyBuckets(() => now);
  const ask = async () => {
    asked += 1;
    const databaseNow = now + 5_000;
    const before = Math.max(fullAt, databaseNow);
    const allowed = before + everyMs <= databaseNow + capacity * everyMs;
    if (allowed) fullAt = before + everyMs;
    return { fullAt: allowed ? fullAt : before, now: databaseNow, allowed };
  };
  return {
    take: () => buckets.take('a', { capacity, everyMs }, ask),
    takeMany: (count: number) =>
      Promise.all(Array.from({ length: count }, () => buckets.take('a', { capacity, everyMs }, ask))),
    advance: (ms: number) => (now += ms),
    asked: () => asked,
  };
}

test('of a burst of calls only those that are let in and the first refused one ask the database', async () => {
  const bucket = openBucket();
  const taken = await bucket.takeMany(128);
  expect(taken.filter(({ allowed }) => allowed)).toHaveLength(4);
  expect(bucket.asked()).toBe(5);
  expect(taken.at(-1)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 });
});

test('the next token may be taken as soon as it is there', async () => {
  const bucket = openBucket();
  await bucket.takeMany(10);
  bucket.advance(249);
  expect(await bucket.take()).toMatchObject({ allowed: false });
  expect(bucket.asked()).toBe(5);
  bucket.advance(1);
  expect(await bucket.take()).toMatchObject({ allowed: true });
});

test('a bucket that fills slowly is asked for once a second', async () => {
  const bucket = openBucket(hourly);
  await bucket.takeMany(10);
  expect(bucket.asked()).toBe(2);
  bucket.advance(seconds(1) - 1);
  expect(await bucket.take()).toEqual({ allowed: false, remaining: 0, resetSeconds: 3600, retryAfterSeconds: 3600 });
  expect(bucket.asked()).toBe(2);
  bucket.advance(1);
  await bucket.take();
  expect(bucket.asked()).toBe(3);
});

test('a bucket that lacks the tokens for an expensive call may have one for a cheap call', async () => {
  const expensive = { capacity: 1, everyMs: 1_000 };
  const buckets = createEmptyBuckets(() => 0);
  await buckets.take('a', expensive, async () => ({ fullAt: 250, now: 0, allowed: false }));
  const asked: string[] = [];
  const ask = async () => {
    asked.push('cheap');
    return { fullAt: 500, now: 0, allowed: true };
  };
  expect(await buckets.take('a', limit, ask)).toMatchObject({ allowed: true });
  expect(await buckets.take('a', expensive, ask)).toMatchObject({ allowed: false });
  expect(asked).toEqual(['cheap']);
});

test('a token that was given back may be taken at once', async () => {
  const buckets = createEmptyBuckets(() => 0);
  await buckets.take('a', hourly, async () => ({ fullAt: hourly.everyMs, now: 0, allowed: false }));
  buckets.forget('a');
  const given = await buckets.take('a', hourly, async () => ({ fullAt: hourly.everyMs, now: 0, allowed: true }));
  expect(given).toMatchObject({ allowed: true });
});

test('calls behind one that cannot be counted fail with it, and the next one asks again', async () => {
  const buckets = createEmptyBuckets(() => 0);
  let asked = 0;
  const fail = async () => {
    asked += 1;
    throw new Error('no database');
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => buckets.take('a', limit, fail)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked).toBe(1);
  await expect(buckets.take('a', limit, async () => ({ fullAt: 250, now: 0, allowed: true }))).resolves.toMatchObject({
    allowed: true,
  });
});
