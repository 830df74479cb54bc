import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('the entry that was set longest ago is dropped', () => {
  const lru = createLru<string, number>(2);
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    lru.set(key, value);
  expect(['a', 'b', 'c'].map((key) => lru.get(key))).toEqual([3, undefined, 4]);
});
