import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('the entry that was set longest ago is dropped', () => {
  const lru = createLru<string, number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  lru.set('a', 3);
  lru.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => lru.get(key))).toEqual([3, undefined, 4]);
  lru.delete('a');
  expect(lru.size).toBe(1);
  lru.clear();
  expect(lru.size).toBe(0);
});
