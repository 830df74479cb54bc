import { expect, test } from 'vitest';
import { createSlabs, type LentSlabs, slabBytes, slabsPerWrite } from './slabs.ts';

const take = (lent: LentSlabs) => Array.from({ length: slabsPerWrite }, () => lent.take());
const bytesOf = (slabs: readonly ArrayBuffer[]) => slabs.reduce((sum, slab) => sum + slab.byteLength, 0);

test('a few concurrent writes get large slabs, and hundreds need little more memory in all', () => {
  const slabs = createSlabs();
  for (let earlier = 0; earlier < 20; earlier += 1) slabs.lend()[Symbol.dispose]();
  const few = Array.from({ length: 8 }, () => slabs.lend()).flatMap(take);
  expect(few.every((slab) => slab.byteLength === slabBytes)).toBe(true);
  const rest = Array.from({ length: 200 }, () => slabs.lend()).flatMap(take);
  expect(bytesOf(rest)).toBeLessThan(2 * bytesOf(few));
});

test('a slab is used again after it is given back, by one write at a time', () => {
  const slabs = createSlabs();
  using first = slabs.lend();
  const slab = first.take();
  first.giveBack(slab);
  using second = slabs.lend();
  expect(second.take()).toBe(slab);
  expect(second.take()).not.toBe(slab);
});

test('as many slabs are kept as the large writes use, and no small ones', () => {
  const slabs = createSlabs();
  using lent = slabs.lend();
  lent.giveBack(new ArrayBuffer(32 * 1024));
  const returned = Array.from({ length: 100 }, () => new ArrayBuffer(slabBytes));
  for (const slab of returned) lent.giveBack(slab);
  const again = Array.from({ length: 100 }, () => lent.take());
  expect(again.every((slab) => slab.byteLength === slabBytes)).toBe(true);
  expect(again.filter((slab) => returned.includes(slab))).toHaveLength(8 * slabsPerWrite);
});
