import { expect, test } from 'vitest';
import { minutesAndSeconds, secondsUntil } from './countdown.ts';

test('the wait is shown as minutes and seconds', () => {
  expect([120, 119, 60, 59, 5, 0].map(minutesAndSeconds)).toEqual(['2:00', '1:59', '1:00', '0:59', '0:05', '0:00']);
});

test('a started second is rounded up, and a past time gives zero', () => {
  expect(secondsUntil(10_000, 9_999)).toBe(1);
  expect(secondsUntil(10_000, 10_000)).toBe(0);
  expect(secondsUntil(10_000, 60_000)).toBe(0);
});
