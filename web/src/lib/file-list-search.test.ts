import { expect, test } from 'vitest';
import { fileListDefaults, readFileListSearch } from './file-list-search.ts';

test('column, direction and page are read from the address', () => {
  const search = { column: 'size', direction: 'asc', page: 3 };
  expect(readFileListSearch(search)).toEqual(search);
});

test('what the list does not know counts as not said', () => {
  expect(readFileListSearch({ column: 'colour', direction: 'up', page: -2, other: 1 })).toEqual(fileListDefaults);
  expect(readFileListSearch({ page: 'two' })).toEqual(fileListDefaults);
  expect(readFileListSearch({})).toEqual(fileListDefaults);
});
