import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { costOfDeletion, costOfList, costOfPreview } from './call-cost.ts';

const query = { column: 'name', direction: 'asc', page: 1, limit: 200, search: '' } as const;

test.each([
  ['free', {}, 2],
  ['free', { limit: 500 }, 4],
  ['free', { search: 'a' }, 4],
  ['power', {}, 2],
  ['power', { search: ' ' }, 2],
  ['power', { page: 500 }, 2],
  ['power', { page: 250 }, 8],
  ['power', { page: 1_000_000 }, 2],
  ['power', { search: 'a' }, 8],
  ['power', { search: 'a', limit: 500, page: 100 }, 16],
] as const)('in a full account of plan %s, a list with %j costs %i calls', (plan, asked, cost) => {
  expect(costOfList({ slots_used: standardPlans[plan].slotsQuota }, { ...query, ...asked })).toBe(cost);
});

test.each([
  ['free', 2],
  ['basic', 2],
  ['power', 32],
] as const)('in a full account of plan %s, a preview of deletions costs %i calls', (plan, cost) => {
  expect(costOfPreview({ slots_used: standardPlans[plan].slotsQuota })).toBe(cost);
});

test.each([
  [0, 1],
  [1, 1],
  [32, 1],
  [33, 2],
  [100, 4],
  [500, 16],
])('a deletion of %i names costs %i calls', (names, cost) => {
  expect(costOfDeletion({ files: Array.from({ length: names }, String) })).toBe(cost);
});
