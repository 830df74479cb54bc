import { createHash } from 'node:crypto';
import { type BlobId, BlobMissing, type BlobReader, type BlobStore } from '../storage/blobs/blobs.ts';

export interface StoredBytes {
  readonly blobId: BlobId;
  readonly size: number;
}

const chunkBytes = 256 * 1024;

/** The chunks reuse one buffer. @throws {BlobMissing} */
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

export interface StoredDigest extends Pick<BlobReader, 'version'> {
  readonly sha256: string;
}

const bufferBytes = 1024 * 1024;

/** Returns null if the bytes are missing or short. */
export async function digestOf(
  blobs: BlobStore,
  { blobId, size }: StoredBytes,
  signal?: AbortSignal,
): Promise<StoredDigest | null> {
  const hash = createHash('sha256');
  const into = Buffer.alloc(Math.max(1, Math.min(bufferBytes, size)));
  try {
    await using reader = await blobs.open(blobId, 0, size - 1);
    for (let read; (read = await reader.read(into)) > 0;) {
      signal?.throwIfAborted();
      hash.update(into.subarray(0, read));
    }
    return { sha256: hash.digest('hex'), version: reader.version };
  } catch (error) {
    if (error instanceof BlobMissing) return null;
    throw error;
  }
}
