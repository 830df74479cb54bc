export interface ByteReader {
  /** Returns the count of bytes written to `into`, 0 after the last one. */
  read(into: Uint8Array): Promise<number>;
}

export function readerOf(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): ByteReader {
  const rest = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let chunk: Buffer = Buffer.alloc(0);
  return {
    async read(into) {
      while (chunk.length === 0) {
        const next = await rest.next();
        if (next.done === true) return 0;
        chunk = next.value;
      }
      const count = chunk.copy(into);
      chunk = chunk.subarray(count);
      return count;
    },
  };
}
