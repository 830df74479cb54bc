import { changePlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { planFacts } from './plan-facts.ts';

test('a plan may accept a single type', () => {
  const { free } = changePlans({ free: { allowedExtensions: ['jar'] } });
  expect(planFacts(free).at(-1)?.value).toBe('1 type');
});
