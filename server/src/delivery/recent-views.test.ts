import { createTestClock } from '@holdfast/test-support/test-clock.ts';
import { expect, test } from 'vitest';
import { createRecentViews } from './recent-views.ts';

test('a view counts again 30 seconds after it counted, however often it was repeated meanwhile', () => {
  const clock = createTestClock();
  const isNewView = createRecentViews(clock);
  const counted = Array.from({ length: 61 }, () => {
    const isNew = isNewView('192.0.2.1', 'file');
    clock.advance(1_000);
    return isNew;
  });
  expect(counted.flatMap((isNew, second) => (isNew ? [second] : []))).toEqual([0, 30, 60]);
});

test('the clock of the machine does not matter, and the oldest views are forgotten first', () => {
  const clock = createTestClock();
  const isNewView = createRecentViews(clock, 2);
  expect(['a', 'b', 'a', 'b'].map((file) => isNewView('192.0.2.1', file))).toEqual([true, true, false, false]);
  clock.jump(1_000_000);
  expect(['a', 'c', 'b', 'a'].map((file) => isNewView('192.0.2.1', file))).toEqual([false, true, false, true]);
});
