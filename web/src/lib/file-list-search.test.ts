import { listLimit, longestSearch } from '@holdfast/contract/src/files.ts';
import { expect, test } from 'vitest';
import { fileListDefaults, pageSizes, readFileListSearch } from './file-list-search.ts';

test('column, direction, page, page size and filter are read from the address', () => {
  const search = { column: 'size', direction: 'asc', page: 3, limit: 500, search: 'kelp' };
  expect(readFileListSearch(search)).toEqual(search);
});

test('what the list does not know counts as not said', () => {
  const wrong = { column: 'colour', direction: 'up', page: -2, limit: 7, search: ['kelp'], other: 1 };
  expect(readFileListSearch(wrong)).toEqual(fileListDefaults);
  expect(readFileListSearch({ page: 'two', limit: 'many' })).toEqual(fileListDefaults);
  expect(readFileListSearch({})).toEqual(fileListDefaults);
});

test('a filter that looks like a number or a word of JavaScript is a text all the same', () => {
  expect(readFileListSearch({ search: 2026 }).search).toBe('2026');
  expect(readFileListSearch({ search: true }).search).toBe('true');
});

test('a filter is as long as the server takes it, without space around it', () => {
  expect(readFileListSearch({ search: ` ${'k'.repeat(longestSearch + 1)} ` }).search).toBe('k'.repeat(longestSearch));
});

test('page sizes go up to what the server gives at once', () => {
  expect(fileListDefaults.limit).toBe(listLimit.default);
  expect(Math.max(...pageSizes)).toBe(listLimit.max);
});
