/**
 * Buffers that a sender borrows for one read and one write. A small number of them serves any number of downloads
 * without creating garbage.
 */
const sizes = [16 * 1024, 64 * 1024, 128 * 1024, 256 * 1024] as const;

/** In bytes. */
export const [smallestBuffer, , , largestBuffer] = sizes;
const idleBytesKept = 4 * 1024 * 1024;
/** Bytes lent to slow clients. Above `small`, new pieces are small; above `smallest`, they have the smallest size. */
const plenty = { small: 8 * 1024 * 1024, smallest: 16 * 1024 * 1024 };

const idle = new Map<number, Buffer[]>(sizes.map((size) => [size, []]));
let lent = 0;

/**
 * Returns the largest size that a piece should have now. A sender never waits for another's buffer, because clients
 * that do not read would block all others. Beyond a bound, each response gets the smallest buffer instead.
 */
export function largestPiece(): number {
  return lent < plenty.small ? largestBuffer : lent < plenty.smallest ? sizes[1] : smallestBuffer;
}

/** Returns a buffer of at least `bytes` with arbitrary content. The borrower must either return or drop it. */
export function borrowBuffer(bytes: number): Buffer {
  const size = sizes.find((each) => each >= bytes) ?? largestBuffer;
  lent += size;
  return idle.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** Takes a buffer back. No code may use it any more: the next borrower overwrites it. */
export function returnBuffer(buffer: Buffer): void {
  lent -= buffer.length;
  const shelf = idle.get(buffer.length);
  if (shelf && shelf.length < idleBytesKept / buffer.length) shelf.push(buffer);
}

/** Leaves a buffer to the garbage collector, because it may still be in use. */
export function dropBuffer(buffer: Buffer): void {
  lent -= buffer.length;
}
