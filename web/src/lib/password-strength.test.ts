import { expect, test } from 'vitest';
import { strengthOf } from './password-strength.ts';

test.each([
  ['', 'Weak'],
  ['Password1', 'Weak'],
  ['P@ssw0rd2024!', 'Weak'],
  ['Abcdefgh1', 'Weak'],
  ['Aa1Aa1Aa1Aa1', 'Weak'],
  ['Mara1990', 'Weak'],
  ['Kelp-Forest', 'Fair'],
  ['Kelp-Forest-7', 'Good'],
  ['Correct-Horse-Battery-7', 'Strong'],
  ['vK4!q9Zr_tW2', 'Good'],
])('%s is %s', (password, strength) => {
  expect(strengthOf(password, ['mara.lindqvist@example.com'])).toBe(strength);
});
