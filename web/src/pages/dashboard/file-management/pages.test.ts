import { expect, test } from 'vitest';
import { lastPage, pageInWords, shownRange } from './pages.ts';

test.each([
  [0, 1],
  [1, 1],
  [200, 1],
  [201, 2],
  [1204, 7],
])('%d files have %d pages of 200', (total_files, pages) =>
  expect(lastPage({ page: 1, limit: 200, total_files })).toBe(pages),
);

test('the range of the last page ends at the last file', () => {
  expect(shownRange({ page: 2, limit: 200, total_files: 1204 })).toEqual({ from: 201, to: 400 });
  expect(shownRange({ page: 7, limit: 200, total_files: 1204 })).toEqual({ from: 1201, to: 1204 });
});

test.each([
  [{ page: 1, limit: 200, total_files: 1 }, '', '1 file'],
  [{ page: 3, limit: 200, total_files: 100_000 }, '', 'Page 3 of 500, 100,000 files'],
  [{ page: 1, limit: 200, total_files: 12 }, 'kelp', '12 files found'],
  [{ page: 2, limit: 50, total_files: 60 }, 'kelp', 'Page 2 of 2, 60 files found'],
])('%o filtered by "%s" is described as: %s', (pagination, search, words) =>
  expect(pageInWords(pagination, search)).toBe(words),
);
