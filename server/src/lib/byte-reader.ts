export interface ByteReader {
  /** Returns the count of bytes written to `into`, 0 after the last one. */
  read(into: Uint8Array): Promise<number>;
}

/** `release` gets each chunk that was read to its end. */
export function readerOf(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  release: (chunk: Buffer) => void = () => {},
): ByteReader {
  const rest = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let chunk: Buffer = Buffer.alloc(0);
  let position = 0;
  return {
    async read(into) {
      while (position === chunk.length) {
        release(chunk);
        const next = await rest.next();
        [chunk, position] = [next.value ?? Buffer.alloc(0), 0];
        if (next.done === true) return 0;
      }
      const count = chunk.copy(into, 0, position);
      position += count;
      return count;
    },
  };
}
