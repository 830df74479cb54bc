import type { Context } from '../context.ts';
import { BlobMissing } from '../storage/blobs/blobs.ts';
import type { ByteSource, RangeReader } from './send-response.ts';
import type { PublicFile } from './look-up.ts';

/** The bytes of a file in the blob store. A blob whose size differs from the file's row counts as missing. */
export function storedBytes({ blobs }: Pick<Context, 'blobs'>, { blobId, size }: PublicFile): ByteSource {
  return {
    async open({ start, end }) {
      const reader = await blobs.open(blobId, start, end);
      if (reader.size === size) return reader;
      await reader[Symbol.asyncDispose]();
      throw new BlobMissing(blobId);
    },
  };
}

/** Responses that do not read the bytes in this process must not claim that missing bytes exist. */
export async function checkStored({ blobs }: Pick<Context, 'blobs'>, { blobId, size }: PublicFile): Promise<void> {
  if (size > 0 && (await blobs.size(blobId)) !== size) throw new BlobMissing(blobId);
}

/** Repeats the block endlessly: a source of any length without using memory. */
export function repeatedBytes(block: Buffer): ByteSource {
  return { open: async ({ start }) => readerFrom(block, start) };
}

function readerFrom(block: Buffer, start: number): RangeReader {
  let position = start;
  return {
    async read(into) {
      const count = block.copy(into, 0, position % block.length);
      position += count;
      return count;
    },
    async [Symbol.asyncDispose]() {},
  };
}
