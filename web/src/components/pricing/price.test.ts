import { publicLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { savedPercent } from './price.ts';

test('the percentage saved by paying yearly is rounded', () => {
  expect(publicLevels.map((level) => savedPercent(standardPlans[level]))).toEqual([0, 16, 16, 17, 17]);
});

test.each([
  [100, 1200, 0],
  [100, 1300, 0],
  [100, 1196, 0],
  [100, 1194, 1],
  [0, 500, 0],
  [100, 0, 100],
])('%i cents a month and %i a year save %i percent', (monthlyCents, yearlyCents, percent) => {
  expect(savedPercent({ monthlyCents, yearlyCents })).toBe(percent);
});
