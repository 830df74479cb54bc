import { createTestClock } from '@holdfast/test-support/test-clock.ts';
import { expect, test } from 'vitest';
import { createUnknownNames } from './unknown-names.ts';

const ask = (names: ReturnType<typeof createUnknownNames>, times: number) =>
  Array.from({ length: times }, () => names.mayAsk()).filter(Boolean).length;

test('a name that the primary does not know is remembered for ten seconds', () => {
  const clock = createTestClock();
  const names = createUnknownNames(clock);
  names.add('nosuchfile');
  expect([names.has('nosuchfile'), names.has('another')]).toEqual([true, false]);
  clock.advance(10_000);
  expect(names.has('nosuchfile')).toBe(false);
});

test('the primary is asked 200 times at once, and then 100 times a second', () => {
  const clock = createTestClock();
  const names = createUnknownNames(clock);
  expect(ask(names, 1_000)).toBe(200);
  clock.advance(500);
  expect(ask(names, 1_000)).toBe(50);
  clock.advance(60_000);
  expect(ask(names, 1_000)).toBe(200);
});

test('the memory is bounded, and the oldest names are forgotten first', () => {
  const names = createUnknownNames(createTestClock());
  for (let n = 0; n <= 100_000; n += 1) names.add(`name${n}`);
  expect([names.has('name0'), names.has('name1'), names.has('name100000')]).toEqual([false, true, true]);
});
