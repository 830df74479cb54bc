import { expect, test } from 'vitest';
import { createRecentChanges } from './recent-changes.ts';

test('an id has changed for everything that is older than its note', () => {
  const changes = createRecentChanges();
  const before = performance.now();
  changes.note('a');
  expect([changes.hasChanged('a', before), changes.hasChanged('b', before)]).toEqual([true, false]);
  expect(changes.hasChanged('a', performance.now() + 1)).toBe(false);
});

test('beyond its bound everything counts as changed', () => {
  const changes = createRecentChanges(2);
  const before = performance.now();
  for (const id of ['a', 'b', 'c']) changes.note(id);
  expect(changes.hasChanged('d', before)).toBe(true);
  expect(changes.hasChanged('d', performance.now() + 1)).toBe(false);
});
