import { expect, test } from 'vitest';
import { base62, randomText } from './random-text.ts';

test.each([0, 1, 6, 43, 1_000])('%i characters are drawn from the alphabet', (length) => {
  const text = randomText(length);
  expect(text).toHaveLength(length);
  expect([...text].every((letter) => base62.includes(letter))).toBe(true);
});

test('every character is equally likely', () => {
  const draws = 310_000;
  const counts = Map.groupBy(randomText(draws), (letter) => letter);
  expect(counts.size).toBe(62);
  // The expected count is 5,000 each; seven standard deviations are 490. A plain remainder would give the first eight
  // 6,055.
  for (const [letter, { length }] of counts) expect(Math.abs(length - draws / 62), letter).toBeLessThan(490);
});

test('a code has digits only, with leading zeros', () => {
  const codes = Array.from({ length: 500 }, () => randomText(6, '0123456789'));
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(codes.some((code) => code.startsWith('0'))).toBe(true);
});
