import { expect, test } from 'vitest';
import { largestBuffer, smallestBuffer } from './buffer-pool.ts';
import { createPieceSize } from './piece-size.ts';

const KiB = 1024;

/** A client that reads at a speed in bytes per millisecond, after its kernel has accepted the first bytes at once. */
function openClient(speed: number, buffered = 2_500_000) {
  let now = 1_000;
  let taken = 0;
  const size = createPieceSize(() => now);
  return {
    size,
    run(ms: number) {
      const end = now + ms;
      while (now < end) {
        taken += size.bytes;
        if (taken > buffered) now += size.bytes / speed;
        else now += 0.05;
        size.sent(size.bytes);
      }
    },
  };
}

test('a client that reads nothing gets 64 KiB pieces, although the kernel takes megabytes', () => {
  const client = openClient(0);
  const { size } = client;
  for (let taken = 0; taken < 2_500_000; taken += size.bytes) size.sent(size.bytes);
  expect(size.bytes).toBe(64 * KiB);
});

test.each([
  [10, smallestBuffer],
  [500, smallestBuffer],
  [3_277, 64 * KiB],
  [50_000, largestBuffer],
  [1_000_000, largestBuffer],
])('a client that takes %i KB a second gets pieces of about %i bytes', (speed, bytes) => {
  const client = openClient(speed);
  client.run(10_000);
  expect(client.size.bytes / bytes).toBeGreaterThan(0.9);
  expect(client.size.bytes / bytes).toBeLessThan(1.1);
});

test('a client that becomes slow gets small pieces, and large ones when it is fast again', () => {
  let now = 0;
  const size = createPieceSize(() => now);
  const send = (pieces: number, ms: number) => {
    for (let count = 0; count < pieces; count += 1) {
      now += ms;
      size.sent(size.bytes);
    }
  };
  send(200, 1);
  expect(size.bytes).toBe(largestBuffer);
  send(2, 30_000);
  expect(size.bytes).toBe(smallestBuffer);
  send(2_000, 1);
  expect(size.bytes).toBe(largestBuffer);
});
