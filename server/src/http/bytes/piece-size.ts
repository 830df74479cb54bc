import { largestBuffer, smallestBuffer } from './buffer-pool.ts';

/** The piece size of a response without a speed limit. */
export interface PieceSize {
  readonly bytes: number;
  /** Records that this number of bytes has been sent. */
  sent(bytes: number): void;
}

const firstPiece = 64 * 1024;
/** More than the 4 MiB that Linux buffers for a client by default, so a client that took this much is reading. */
const provenBytes = 5 * 1024 * 1024;
const measuredMs = 250;
/** A piece is the amount that the client takes in this time: 256 KiB from about 100 Mbps on. */
const pieceMs = 20;

/**
 * A buffer is held until the client has taken it, so a client that does not read must not get a large one. Bytes that
 * the kernel takes at once prove nothing, because it buffers some megabytes. The measure is the number of bytes sent in
 * a quarter of a second, including all waits.
 */
export function createPieceSize(now: () => number = () => performance.now()): PieceSize {
  let bytes = firstPiece;
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
