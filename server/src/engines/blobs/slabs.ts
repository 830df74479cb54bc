/**
 * Memory between a source of bytes and the disk, lent to writes. Slabs are large because each one costs a message to a
 * thread and back, and they are used again because new memory is slow to touch.
 */

export const slabBytes = 1024 * 1024;
const slabBytesInNeed = 32 * 1024;
/** One fills while a thread has the others. */
export const slabsPerWrite = 3;
const largeWrites = 8;

export interface Slabs {
  /** Lends to one write. With many concurrent writes slabs are small: slower, but the total memory remains bounded. */
  lend(): LentSlabs;
}

export interface LentSlabs extends Disposable {
  take(): ArrayBuffer;
  /** Takes back a slab that nobody reads or writes any more. A slab that is not given back is left to the collector. */
  giveBack(slab: ArrayBuffer): void;
}

export function createSlabs(): Slabs {
  const spare: ArrayBuffer[] = [];
  let writes = 0;
  return {
    lend() {
      writes += 1;
      const bytes = writes > largeWrites ? slabBytesInNeed : slabBytes;
      return {
        take: () => (bytes === slabBytes ? spare.pop() : undefined) ?? new ArrayBuffer(bytes),
        giveBack(slab) {
          if (slab.byteLength === slabBytes && spare.length < largeWrites * slabsPerWrite) spare.push(slab);
        },
        [Symbol.dispose]() {
          writes -= 1;
        },
      };
    },
  };
}
