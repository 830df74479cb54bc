import { expect, test } from 'vitest';
import { createDeletionLimit, DeletionLimitExceeded } from './deletion-limit.ts';

test('without an order a run deletes what is unremarkable or a plausible share', () => {
  const limit = createDeletionLimit(null);
  expect([100, 101, 500].map((deletions) => limit.admits(deletions, 1_000))).toEqual([true, false, false]);
  expect([500, 501].map((deletions) => limit.admits(deletions, 10_000))).toEqual([true, false]);
});

test.each([0, 5, 100, 2_000])('with --allow %i a run deletes up to that many, whatever is plausible', (allowed) => {
  const limit = createDeletionLimit(allowed);
  for (const outOf of [10, 1_000_000]) {
    expect(() => limit.check(allowed, outOf)).not.toThrow();
    expect(() => limit.check(allowed + 1, outOf)).toThrow(DeletionLimitExceeded);
  }
});
