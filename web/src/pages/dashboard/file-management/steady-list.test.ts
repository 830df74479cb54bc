import { expect, test } from 'vitest';
import type { FoundFiles } from '../../../api/files.ts';
import { keepPlaces, movesRows, withoutFiles } from './steady-list.ts';

const listOf = (hits: Readonly<Record<string, number>>): FoundFiles => {
  const files = Object.entries(hits).map(([name, each]) => ({ name, hits: each }));
  return { files, pagination: { page: 1, limit: 200, total_files: files.length } } as unknown as FoundFiles;
};
const rowsOf = ({ files }: FoundFiles) => files.map(({ name, hits }) => [name, hits]);

test('rows keep their places with new facts, and a row that has left the page keeps its old ones', () => {
  const shown = keepPlaces(listOf({ reef: 2, kelp: 1, wrack: 0 }), listOf({ dulse: 9, kelp: 7, reef: 3 }));
  expect(rowsOf(shown)).toEqual([
    ['reef', 3],
    ['kelp', 7],
    ['wrack', 0],
  ]);
  expect(shown.pagination.total_files).toBe(3);
});

test('a new list moves rows unless the shown ones are at its start', () => {
  const shown = listOf({ reef: 2, kelp: 1 });
  expect(movesRows(shown, listOf({ reef: 3, kelp: 1, wrack: 0 }))).toBe(false);
  expect(movesRows(listOf({}), shown)).toBe(false);
  expect(movesRows(shown, listOf({ wrack: 0, reef: 2, kelp: 1 }))).toBe(true);
  expect(movesRows(shown, listOf({ kelp: 1 }))).toBe(true);
});

test('deleted files leave the rows and the total', () => {
  const left = withoutFiles(listOf({ reef: 2, kelp: 1, wrack: 0 }), ['kelp', 'on another page']);
  expect(rowsOf(left)).toEqual([
    ['reef', 2],
    ['wrack', 0],
  ]);
  expect(left.pagination.total_files).toBe(2);
});
