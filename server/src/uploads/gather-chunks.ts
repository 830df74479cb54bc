/**
 * Copies the chunks that `source` yields into slabs, one slab at a time. The source must not use a chunk after it
 * yields it: its memory may be freed.
 */
export interface Gathering {
  /** Fills `slab` from its start until it is full, the source has ended, or `longestMs` have passed. */
  fill(slab: Buffer): Promise<{ readonly bytes: Buffer; readonly last: boolean }>;
  /** Releases the source. */
  stop(): void;
}

/** A slow upload must write from time to time: a temp file without writes for ten minutes is swept away. */
const oneMinute = 60_000;

export function gather(source: AsyncIterable<Buffer>, longestMs = oneMinute): Gathering {
  const chunks = source[Symbol.asyncIterator]();
  let chunk: Buffer = Buffer.alloc(0);
  let taken = 0;
  return {
    async fill(slab) {
      const started = performance.now();
      let length = 0;
      do {
        if (taken === chunk.length) {
          free(chunk);
          const next = await chunks.next();
          if (next.done) return { bytes: slab.subarray(0, length), last: true };
          [chunk, taken] = [next.value, 0];
        }
        const copied = chunk.copy(slab, length, taken);
        taken += copied;
        length += copied;
      } while (length < slab.length && performance.now() - started < longestMs);
      return { bytes: slab.subarray(0, length), last: false };
    },
    stop() {
      chunks.return?.().catch(() => {});
    },
  };
}

/** If the chunks of a fast upload were left to the garbage collector, it would walk the whole heap every 20 MB. */
function free(chunk: Buffer): void {
  const { buffer } = chunk;
  // A chunk that is a view of a larger buffer may share it with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) buffer.transfer(0);
}
