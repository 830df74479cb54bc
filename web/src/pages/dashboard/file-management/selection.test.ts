import { expect, test } from 'vitest';
import {
  allState,
  keepShown,
  nothingSelected,
  type FileSelection,
  selectAll,
  toggle,
  toggleRange,
} from './selection.ts';

const list = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: FileSelection) => [...selection.names].toSorted().join('');

test('a click selects and a second click deselects', () => {
  const one = toggle(nothingSelected, 'b');
  expect(chosen(one)).toBe('b');
  expect(chosen(toggle(one, 'b'))).toBe('');
});

test('shift selects from the last click to this one, in both directions', () => {
  expect(chosen(toggleRange(toggle(nothingSelected, 'b'), 'd', list))).toBe('bcd');
  expect(chosen(toggleRange(toggle(nothingSelected, 'd'), 'a', list))).toBe('abcd');
});

test('shift on a selected file deselects the range', () => {
  const deselectedB = toggle(selectAll(list), 'b');
  expect(chosen(toggleRange(deselectedB, 'd', list))).toBe('ae');
});

test('files no longer shown are deselected, and start no range', () => {
  const left = keepShown({ names: new Set(['a', 'z']), anchor: 'z' }, list);
  expect(chosen(left)).toBe('a');
  expect(chosen(toggleRange(left, 'c', list))).toBe('ac');
});

test('the checkbox in the header is empty, partial or full', () => {
  expect(allState(new Set(), [])).toBe(false);
  expect(allState(new Set(), list)).toBe(false);
  expect(allState(new Set(['a', 'b']), list)).toBe('indeterminate');
  expect(allState(new Set(list), list)).toBe(true);
  expect(allState(new Set([...list, 'of another page']), list)).toBe(true);
});
