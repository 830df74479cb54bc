import type { BlobId, BlobStore } from '../engines/blobs/blobs.ts';

export interface StoredBytes {
  readonly blobId: BlobId;
  /** In bytes. */
  readonly size: number;
}

const chunkBytes = 256 * 1024;

/**
 * Yields all bytes of a blob in chunks that reuse one buffer.
 * @throws {BlobMissing} when they are missing or short.
 */
export async function* readBlob(blobs: BlobStore, { blobId, size }: StoredBytes): AsyncGenerator<Buffer> {
  if (size === 0) return;
  await using reader = await blobs.open(blobId, 0, size - 1);
  const buffer = Buffer.allocUnsafeSlow(Math.min(size, chunkBytes));
  for (let left = size; left > 0;) {
    const count = await reader.read(buffer);
    left -= count;
    yield buffer.subarray(0, count);
  }
}
