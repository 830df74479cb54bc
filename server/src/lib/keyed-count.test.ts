import { expect, test } from 'vitest';
import { createKeyedCount } from './keyed-count.ts';

test('each key has a count of its own, which never falls below zero', () => {
  const counts = createKeyedCount<string>();
  counts.add('a');
  counts.add('a');
  counts.add('b');
  counts.remove('a');
  counts.remove('b');
  counts.remove('b');
  expect([counts.of('a'), counts.of('b'), counts.of('c')]).toEqual([1, 0, 0]);
});
