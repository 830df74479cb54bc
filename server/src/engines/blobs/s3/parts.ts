import type { ByteReader } from '../../../lib/byte-reader.ts';

/** Every part but the last has the same size, because some stores insist on it. */
const partBytes = 8 * 1024 * 1024;
/** The S3 API allows no more parts. */
export const mostParts = 10_000;
const firstBytes = 64 * 1024;
/** Slabs that are kept for the next write: those of four writes. */
const mostSpare = 8;

export interface Part {
  readonly slab: ArrayBuffer;
  readonly length: number;
  /** True at the end of the source. */
  readonly isLast: boolean;
}

/** Memory for parts. A slab grows with what has arrived, so that a small or slow upload does not hold a whole one. */
export interface PartSlabs {
  /**
   * Reads a part of `source`. `likelyFull` tells that a whole part came before.
   * @throws the error of the source.
   */
  fill(source: ByteReader, likelyFull: boolean): Promise<Part>;
  /** Takes back a slab that nobody reads any more. */
  giveBack(slab: ArrayBuffer): void;
}

export function createPartSlabs(): PartSlabs {
  const spare: ArrayBuffer[] = [];
  const giveBack = (slab: ArrayBuffer) => {
    if (slab.byteLength === partBytes && spare.length < mostSpare) spare.push(slab);
  };
  const whole = () => spare.pop() ?? new ArrayBuffer(partBytes);
  return {
    async fill(source, likelyFull) {
      let slab = likelyFull ? whole() : new ArrayBuffer(firstBytes);
      let length = 0;
      for (;;) {
        if (length === partBytes) return { slab, length, isLast: false };
        if (length === slab.byteLength) slab = slab.transfer(Math.min(slab.byteLength * 8, partBytes));
        const count = await source.read(Buffer.from(slab, length));
        if (count === 0) return { slab, length, isLast: true };
        length += count;
      }
    },
    giveBack,
  };
}
