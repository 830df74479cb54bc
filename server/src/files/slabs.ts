/**
 * Memory that threads share, lent in rings: while one slab is stored and hashed the next one fills. A slab is large,
 * because each costs a message to a thread and back, and a write.
 */

export const slabBytes = 1024 * 1024;
const slabBytesInNeed = 32 * 1024;
const slabsPerRing = 3;
const ringsToKeep = 8;

export type Ring = readonly Buffer[];

let lent = 0;
const spare: Ring[] = [];

/** A ring for one upload. Many uploads at once get small ones: slower, but the memory for all of them stays small. */
export function borrowRing(): Ring {
  lent += 1;
  return spare.pop() ?? makeRing(lent > ringsToKeep ? slabBytesInNeed : slabBytes);
}

/** Takes a ring back, when nobody reads or writes it any more. */
export function returnRing(ring: Ring): void {
  lent -= 1;
  if (ring[0]?.length === slabBytes) spare.push(ring);
}

function makeRing(bytes: number): Ring {
  return Array.from({ length: slabsPerRing }, () => Buffer.from(new SharedArrayBuffer(bytes)));
}
