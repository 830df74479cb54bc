/**
 * Memory shared between threads, lent in rings: while one slab is stored and hashed, the next one fills. Slabs are
 * large because each one costs a message to a thread and back, and a write.
 */

export const slabBytes = 1024 * 1024;
const slabBytesInNeed = 32 * 1024;
const slabsPerRing = 3;
const ringsToKeep = 8;

export type Ring = readonly Buffer[];

let lent = 0;
const spare: Ring[] = [];

/**
 * Lends a ring for one upload. Many concurrent uploads get small rings, which are slower but limit the total memory.
 */
export function borrowRing(): Ring {
  lent += 1;
  return spare.pop() ?? makeRing(lent > ringsToKeep ? slabBytesInNeed : slabBytes);
}

/** Takes a ring back after its last reader and writer have finished. */
export function returnRing(ring: Ring): void {
  lent -= 1;
  if (ring[0]?.length === slabBytes) spare.push(ring);
}

function makeRing(bytes: number): Ring {
  return Array.from({ length: slabsPerRing }, () => Buffer.from(new SharedArrayBuffer(bytes)));
}
