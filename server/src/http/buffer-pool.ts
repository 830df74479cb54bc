/**
 * Buffers that a sender borrows for the time of one read and one write. A small number of them carries any number of
 * downloads, and none of it is garbage.
 */
const sizes = [16 * 1024, 64 * 1024, 128 * 1024, 256 * 1024] as const;

/** Bytes. */
export const [smallestBuffer, , , largestBuffer] = sizes;
const idleBytesKept = 8 * 1024 * 1024;
/** Bytes lent to clients that are slow to take them, from which on new pieces are small, and smallest. */
const plenty = { small: 16 * 1024 * 1024, smallest: 32 * 1024 * 1024 };

const idle = new Map<number, Buffer[]>(sizes.map((size) => [size, []]));
let lent = 0;

/**
 * The most that a piece should have now. Nobody waits for the buffer of another: those who do not read would hold up
 * everybody else. Beyond a bound each response gets the smallest one instead.
 */
export function largestPiece(): number {
  return lent < plenty.small ? largestBuffer : lent < plenty.smallest ? sizes[1] : smallestBuffer;
}

/** A buffer of at least `bytes`, with anything in it. It is either returned or dropped. */
export function borrowBuffer(bytes: number): Buffer {
  const size = sizes.find((each) => each >= bytes) ?? largestBuffer;
  lent += size;
  return idle.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** Nobody may look at it any more: the next borrower writes into it. */
export function returnBuffer(buffer: Buffer): void {
  lent -= buffer.length;
  const shelf = idle.get(buffer.length);
  if (shelf && shelf.length < idleBytesKept / buffer.length) shelf.push(buffer);
}

/** Somebody may still look at it: the collector takes it. */
export function dropBuffer(buffer: Buffer): void {
  lent -= buffer.length;
}
