import { expect, test } from 'vitest';
import { borrowBuffer, dropBuffer, largestBuffer, largestPiece, returnBuffer, smallestBuffer } from './buffer-pool.ts';

test('pieces shrink while much memory is lent, and grow after it is returned or dropped', () => {
  const lent: Buffer[] = [];
  const lend = (bytes: number) => {
    while (lent.reduce((sum, { length }) => sum + length, 0) < bytes) lent.push(borrowBuffer(largestPiece()));
  };
  expect(largestPiece()).toBe(largestBuffer);
  lend(8 * 1024 * 1024);
  expect(largestPiece()).toBe(64 * 1024);
  lend(16 * 1024 * 1024);
  expect(largestPiece()).toBe(smallestBuffer);
  // A thousand more buffers hold 16 MiB.
  for (let count = 0; count < 1_000; count += 1) lent.push(borrowBuffer(largestPiece()));
  expect(lent.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(34 * 1024 * 1024);
  for (const [at, buffer] of lent.entries()) if (at % 2 === 0) returnBuffer(buffer);
  for (const [at, buffer] of lent.entries()) if (at % 2 === 1) dropBuffer(buffer);
  expect(largestPiece()).toBe(largestBuffer);
});

test.each([1, 16 * 1024, 16 * 1024 + 1, 100_000, 256 * 1024])('a buffer has room for %i bytes', (bytes) => {
  const buffer = borrowBuffer(bytes);
  expect(buffer.length).toBeGreaterThanOrEqual(bytes);
  returnBuffer(buffer);
});
