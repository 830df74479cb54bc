import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first call runs at once, calls within an interval run once, and the last always runs', () => {
  const seen: number[] = [];
  let now = 0;
  const call = throttle(250, () => seen.push(now));
  for (now = 1; now <= 60; now += 1) {
    call();
    vi.advanceTimersByTime(10);
  }
  expect(seen).toEqual([1, 25, 50]);
  now = 100;
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual([1, 25, 50, 100]);
  now = 200;
  call();
  expect(seen).toEqual([1, 25, 50, 100, 200]);
});
