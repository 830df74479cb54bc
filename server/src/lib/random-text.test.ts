import { expect, test } from 'vitest';
import { base62, randomText } from './random-text.ts';

test.each([0, 1, 43, 1_000])('%i characters are drawn from the alphabet', (length) => {
  const text = randomText(length);
  expect(text).toHaveLength(length);
  expect([...text].every((letter) => base62.includes(letter))).toBe(true);
});

test('a code has digits only, with leading zeros', () => {
  const codes = Array.from({ length: 500 }, () => randomText(6, '0123456789'));
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(codes.some((code) => code.startsWith('0'))).toBe(true);
});
