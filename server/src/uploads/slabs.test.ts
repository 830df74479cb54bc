import { expect, test } from 'vitest';
import { borrowRing, returnRing, type Ring, slabBytes } from './slabs.ts';

const bytesOf = (rings: readonly Ring[]) => rings.flat().reduce((sum, slab) => sum + slab.length, 0);

test('a few concurrent uploads get large slabs, and hundreds need little more memory in all', () => {
  for (let earlier = 0; earlier < 20; earlier += 1) returnRing(borrowRing());
  const few = Array.from({ length: 8 }, borrowRing);
  expect(few.flat().every((slab) => slab.length === slabBytes)).toBe(true);
  const rest = Array.from({ length: 200 }, borrowRing);
  expect(bytesOf(rest)).toBeLessThan(2 * bytesOf(few));
  for (const ring of [...few, ...rest]) returnRing(ring);
});

test('no two uploads have the same slab', () => {
  const first = Array.from({ length: 20 }, borrowRing);
  for (const ring of first) returnRing(ring);
  const second = Array.from({ length: 20 }, borrowRing).flat();
  expect(new Set(second.map((slab) => slab.buffer)).size).toBe(second.length);
});
