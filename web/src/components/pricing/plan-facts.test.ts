import { changePlans, standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { planFacts } from './plan-facts.ts';

const values = (level: keyof typeof standardPlans) =>
  planFacts(standardPlans[level]).map(({ value, aside }) => (aside === undefined ? value : `${value} (${aside})`));

test('each plan has its facts', () => {
  expect(values('free')).toEqual(['4 Mbps (500 KB/s)', 'Base', '100 MB', '500 MB', '500', '48 types']);
  expect(values('starter')).toEqual(['20 Mbps (2.5 MB/s)', '+10%', '100 MB', '500 MB', '1,000', 'Any']);
  expect(values('basic')).toEqual(['100 Mbps (12.5 MB/s)', '+20%', '400 MB', '2 GB', '5,000', 'Any']);
  expect(values('advanced')).toEqual(['250 Mbps (31.25 MB/s)', '+50%', '2 GB', '10 GB', '20,000', 'Any']);
  expect(values('power')).toEqual(['Unlimited', '+80%', '5 GB', '25 GB', '100,000', 'Any']);
});

test('a plan may accept a single type', () => {
  const { free } = changePlans({ free: { allowedExtensions: ['jar'] } });
  expect(planFacts(free).at(-1)?.value).toBe('1 type');
});
