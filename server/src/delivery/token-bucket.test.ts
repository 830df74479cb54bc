import { expect, test } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

/** A bucket of 1,000 bytes per second, and a clock in milliseconds that the test controls. */
function openBucket(rate = 1_000) {
  const world = { now: 5_000 };
  const bucket = createTokenBucket(rate, () => world.now);
  return { world, bucket };
}

test('a tenth of a second may be sent at once, and further bytes wait', () => {
  const { bucket } = openBucket();
  expect(bucket.level()).toBe(100);
  expect(bucket.take(100)).toBe(0);
  expect(bucket.take(50)).toBe(50);
  expect(bucket.take(200)).toBe(250);
});

test('time repays a debt and then fills the bucket, to a tenth of a second at most', () => {
  const { world, bucket } = openBucket();
  bucket.take(300);
  world.now += 150;
  expect(bucket.level()).toBe(-50);
  world.now += 149;
  expect(bucket.isFull()).toBe(false);
  world.now += 1;
  expect(bucket.isFull()).toBe(true);
  world.now += 60_000;
  expect(bucket.level()).toBe(100);
});
