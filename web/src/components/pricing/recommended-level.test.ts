import { expect, test } from 'vitest';
import { recommendedLevel } from './recommended-level.ts';

const all = ['starter_monthly', 'basic_monthly', 'advanced_monthly', 'power_monthly'];

test.each([
  [null, all, 'basic'],
  ['free', all, 'basic'],
  ['free', ['power_monthly', 'starter_yearly'], 'power'],
  ['starter', all, undefined],
  ['free', [], undefined],
] as const)('on the plan %s, of %j the recommended one is %s', (current, offers, level) => {
  expect(recommendedLevel({ current, period: 'monthly', offers })).toBe(level);
});
