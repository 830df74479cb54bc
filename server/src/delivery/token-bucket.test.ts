import * as fc from 'fast-check';
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

test('returned bytes reduce the debt, and fill the bucket no further than time does', () => {
  const { bucket } = openBucket();
  bucket.take(1_100);
  expect(bucket.take(0)).toBe(1_000);
  expect(bucket.take(-600)).toBe(400);
  bucket.take(-10_000);
  expect(bucket.level()).toBe(100);
});

test('without a limit everything may be sent at once', () => {
  const { bucket } = openBucket(Infinity);
  expect(bucket.take(1e12)).toBe(0);
  expect(bucket.take(-1e12)).toBe(0);
  expect(bucket.level()).toBe(Infinity);
  expect(bucket.isFull()).toBe(true);
});

test('a clock that is set back neither fills nor drains the bucket', () => {
  const { world, bucket } = openBucket();
  bucket.take(100);
  world.now -= 10_000;
  expect(bucket.level()).toBe(0);
  world.now += 50;
  expect(bucket.level()).toBe(50);
});

test('no sequence of requests exceeds the rate plus one burst', () => {
  const step = fc.record({ pause: fc.nat({ max: 400 }), bytes: fc.nat({ max: 600 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const { world, bucket } = openBucket();
      const start = world.now;
      let sent = 0;
      for (const { pause, bytes } of steps) {
        world.now += pause;
        world.now += bucket.take(bytes);
        sent += bytes;
        expect(sent).toBeLessThanOrEqual(100 + (world.now - start) + 0.001);
      }
    }),
  );
});
