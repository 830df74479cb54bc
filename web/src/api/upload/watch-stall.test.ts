import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patienceOf, watchStall } from './watch-stall.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openWatch(patienceMs = patienceOf(0)) {
  const told: string[] = [];
  const began = Date.now();
  const note = (what: string) => () => void told.push(`${what} after ${Date.now() - began} ms`);
  return { told, watch: watchStall(note('stalled'), note('dead'), patienceMs) };
}

test('a transfer is stalled after ten seconds without a byte, and dead after 45', () => {
  const { told } = openWatch();
  vi.advanceTimersByTime(120_000);
  expect(told).toEqual(['stalled after 10000 ms', 'dead after 45000 ms']);
});

test('each byte restarts the wait', () => {
  const { told, watch } = openWatch();
  for (let second = 0; second < 60; second += 9) {
    vi.advanceTimersByTime(9000);
    watch.moved();
  }
  expect(told).toEqual([]);
  vi.advanceTimersByTime(20_000);
  watch.moved();
  vi.advanceTimersByTime(44_000);
  expect(told).toEqual(['stalled after 73000 ms', 'stalled after 93000 ms']);
});

test('after the last byte only a missing response counts, and a large file gets time to be written', () => {
  const { told, watch } = openWatch();
  watch.sent(60_000);
  vi.advanceTimersByTime(45_005);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['dead after 45006 ms']);
  watch.sent(5_000_000_000);
  vi.advanceTimersByTime(500_000);
  expect(told).toHaveLength(1);
});

test('each attempt gets twice the patience, up to three minutes', () => {
  expect([0, 1, 2, 3, 7].map(patienceOf)).toEqual([45_000, 90_000, 180_000, 180_000, 180_000]);
});
