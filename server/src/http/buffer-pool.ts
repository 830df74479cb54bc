/**
 * Buffers that a sender borrows for the time of one read and one write. Few responses hold one at the same moment, so
 * a small number of them carries any number of downloads, and none of it is garbage.
 */
const sizes = [64 * 1024, 128 * 1024, 256 * 1024] as const;

/** The most that can be borrowed in one piece, in bytes. */
export const largestBuffer = sizes[2];
const idleBytesKept = 8 * 1024 * 1024;

const idle = new Map<number, Buffer[]>(sizes.map((size) => [size, []]));

/** A buffer of at least `bytes`, with anything in it. */
export function borrowBuffer(bytes: number): Buffer {
  const size = sizes.find((each) => each >= bytes) ?? largestBuffer;
  return idle.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** Nobody may look at it any more: the next borrower writes into it. */
export function returnBuffer(buffer: Buffer): void {
  const shelf = idle.get(buffer.length);
  if (shelf && shelf.length < idleBytesKept / buffer.length) shelf.push(buffer);
}
