import { expect, test } from 'vitest';
import { readPageSearch } from './page-search.ts';

test.each([
  [2, 2],
  ['3', 3],
  [undefined, 1],
  [0, 1],
  [-1, 1],
  [1.5, 1],
  ['kelp', 1],
  [1e99, 1],
  [[2, 3], 1],
])('page %j is page %i', (said, page) => {
  expect(readPageSearch({ page: said })).toEqual({ page });
});
