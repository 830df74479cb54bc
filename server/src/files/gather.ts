/** Copies the chunks that `source` yields into slabs, one slab at a time. The chunks are the reader's own. */
export interface Gathering {
  /** Fills `slab` from its start: until it is full, the source has ended, or `longestMs` have passed. */
  fill(slab: Buffer): Promise<{ readonly bytes: Buffer; readonly last: boolean }>;
  /** Lets go of the source. */
  stop(): void;
}

/** A slow upload must be stored now and then: a temp file that nobody writes to for ten minutes is swept away. */
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

/** Left to the garbage collector, the chunks of a fast upload make it run through the whole heap every 20 MB. */
function free(chunk: Buffer): void {
  const { buffer } = chunk;
  // A chunk that is a part of something larger is not ours alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) buffer.transfer(0);
}
