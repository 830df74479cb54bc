import { expect, test } from 'vitest';
import {
  fileListDefaults,
  readFileListSearch,
  readPageSearch,
  readPaidSearch,
  readReturnSearch,
  mostTellingWords,
} from './search-params.ts';

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
])('page %j is read as page %i', (said, page) => {
  expect(readPageSearch({ page: said })).toEqual({ page });
});

test('column, direction, page, page size and filters are read from the address', () => {
  const search = { column: 'size', direction: 'asc', page: 3, limit: 500, search: 'kelp', favorites: true };
  expect(readFileListSearch(search)).toEqual(search);
});

test('an unknown list parameter counts as absent', () => {
  const wrong = { column: 'colour', direction: 'up', page: -2, limit: 7, search: ['kelp'], favorites: 'yes', other: 1 };
  expect(readFileListSearch(wrong)).toEqual(fileListDefaults);
  expect(readFileListSearch({ page: Number.MAX_SAFE_INTEGER })).toEqual(fileListDefaults);
  expect(readFileListSearch({ page: 'two', limit: 'many' })).toEqual(fileListDefaults);
  expect(readFileListSearch({})).toEqual(fileListDefaults);
});

test('a filter that looks like a number or a boolean is read as text', () => {
  expect(readFileListSearch({ search: 2026 }).search).toBe('2026');
  expect(readFileListSearch({ search: true }).search).toBe('true');
});

test('of a long name the ten longest words are searched, in their order', () => {
  expect(mostTellingWords('What I did on my holiday in the south of France 2024.txt')).toBe(
    'What did on my holiday in the south France 2024.txt',
  );
  expect(mostTellingWords('kelp  reef')).toBe('kelp reef');
});

test('Plan Info reads paid checkouts, and Pricing reads canceled ones', () => {
  expect(readPaidSearch({ checkout: 'paid', problem: 'not-for-sale' })).toEqual({
    checkout: 'paid',
    problem: 'not-for-sale',
  });
  expect(readPaidSearch({ checkout: 'canceled' })).toEqual({ checkout: undefined });
  expect(readReturnSearch({ checkout: 'canceled' })).toEqual({ checkout: 'canceled', problem: undefined });
  expect(readReturnSearch({ checkout: 'paid' })).toEqual({ checkout: undefined, problem: undefined });
});

test.each(['kelp', 'toString', '__proto__', 7, null, ['busy']])(
  'the unknown value %j is removed from the search parameters',
  (said) => {
    // Strict equality, because a missing key would be read from the address unchanged.
    expect(readReturnSearch({ checkout: said, problem: said })).toStrictEqual({
      checkout: undefined,
      problem: undefined,
    });
    expect(readPaidSearch({ checkout: said, problem: said })).toStrictEqual({
      checkout: undefined,
      problem: undefined,
    });
  },
);
