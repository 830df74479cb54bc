import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atIntervals } from './at-intervals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first asking is followed at once, those of a busy while once, and the last one always', () => {
  const seen: number[] = [];
  let now = 0;
  const ask = atIntervals(250, () => seen.push(now));
  for (now = 1; now <= 60; now += 1) {
    ask();
    vi.advanceTimersByTime(10);
  }
  expect(seen).toEqual([1, 25, 50]);
  now = 100;
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual([1, 25, 50, 100]);
  now = 200;
  ask();
  expect(seen).toEqual([1, 25, 50, 100, 200]);
});
