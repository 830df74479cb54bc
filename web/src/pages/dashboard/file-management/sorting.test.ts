import { expect, test } from 'vitest';
import { ariaSort, nextSorting } from './sorting.ts';

test('a click on the active column reverses its direction', () => {
  expect(nextSorting({ column: 'size', direction: 'desc' }, 'size')).toEqual({ column: 'size', direction: 'asc' });
  expect(nextSorting({ column: 'size', direction: 'asc' }, 'size')).toEqual({ column: 'size', direction: 'desc' });
});

test('a click on another column sorts by it, descending', () => {
  expect(nextSorting({ column: 'size', direction: 'desc' }, 'name')).toEqual({ column: 'name', direction: 'desc' });
  expect(nextSorting({ column: 'size', direction: 'asc' }, 'name')).toEqual({ column: 'name', direction: 'desc' });
});

test('only the active column is announced as sorted', () => {
  expect(ariaSort({ column: 'hits', direction: 'asc' }, 'hits')).toBe('ascending');
  expect(ariaSort({ column: 'hits', direction: 'desc' }, 'hits')).toBe('descending');
  expect(ariaSort({ column: 'hits', direction: 'desc' }, 'name')).toBe('none');
});
