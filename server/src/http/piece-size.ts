import { largestBuffer, smallestBuffer } from './buffer-pool.ts';

/** How many bytes a response without a pace sends in one piece. */
export interface PieceSize {
  readonly bytes: number;
  /** Notes that so many bytes have left. */
  sent(bytes: number): void;
}

const firstPiece = 64 * 1024;
/** Of so little the kernel takes the most part in any case, and small pieces would make it slower. */
const shortBytes = 1024 * 1024;
/** More than the 4 MiB that Linux buffers for a client unless told otherwise: a client that took as much is reading. */
const provenBytes = 5 * 1024 * 1024;
const measuredMs = 250;
/** A piece is what the client takes in this time: 256 KiB from about 100 Mbps on. */
const pieceMs = 20;

/**
 * A buffer is held until the client has taken it, so a client that does not read must not be given a large one. That
 * the kernel takes bytes at once says nothing, for it buffers some megabytes: what counts is how many go in a quarter
 * of a second with all waits. `length` is how many bytes the response has.
 */
export function createPieceSize(length: number, now: () => number = () => performance.now()): PieceSize {
  let bytes = length <= shortBytes ? largestBuffer : firstPiece;
  let since = now();
  let sum = 0;
  return {
    get bytes() {
      return bytes;
    },
    sent(count) {
      sum += count;
      const elapsed = now() - since;
      if (elapsed >= measuredMs) {
        bytes = Math.max(smallestBuffer, Math.min(largestBuffer, Math.floor((sum / elapsed) * pieceMs)));
        since += elapsed;
        sum = 0;
      } else if (sum >= provenBytes) bytes = largestBuffer;
    },
  };
}
