import { createHash } from 'node:crypto';
import { type BlobId, BlobMissing, type BlobStore } from '../../engines/blobs/blobs.ts';
import { readerOf } from '../../lib/byte-reader.ts';
import { type LookOptions, sizeIn } from './find-missing.ts';
import type { NeededBlob } from './needed-blobs.ts';

export interface CopiedBlobs {
  readonly copied: number;
  /** Blobs that were already in the target with the right size. */
  readonly kept: number;
  /** Blobs that are absent or incomplete in `from`. */
  readonly missing: BlobId[];
  /** Blobs whose bytes in `from` do not match their SHA-256; they are not copied. */
  readonly damaged: BlobId[];
}

/**
 * Copies the bytes of `blobs` from one store to another and skips those already there. Bytes are hashed in transit and
 * are stored only if they match the SHA-256 of their row. Blobs never change, so one folder serves as the target of
 * every backup.
 */
export async function copyBlobs(
  blobs: AsyncIterable<NeededBlob>,
  from: BlobStore,
  to: BlobStore,
  { signal, onProgress }: LookOptions,
): Promise<CopiedBlobs> {
  let [copied, kept] = [0, 0];
  const missing: BlobId[] = [];
  const damaged: BlobId[] = [];
  for await (const blob of blobs) {
    signal.throwIfAborted();
    if ((await sizeIn(to, blob.id)) === blob.size) kept += 1;
    else {
      const end = await copy(from, to, blob);
      if (end === 'copied') copied += 1;
      else (end === 'missing' ? missing : damaged).push(blob.id);
    }
    onProgress?.(copied + kept);
  }
  return { copied, kept, missing, damaged };
}

class DamagedBytes extends Error {}

async function copy(from: BlobStore, to: BlobStore, blob: NeededBlob): Promise<'copied' | 'missing' | 'damaged'> {
  if ((await sizeIn(from, blob.id)) !== blob.size) return 'missing';
  try {
    // The existing copy has a different size because an earlier copy broke off, so the complete one replaces it.
    await to.write(blob.id, readerOf(checkedBytes(from, blob)));
    return 'copied';
  } catch (error) {
    if (error instanceof DamagedBytes) return 'damaged';
    if (error instanceof BlobMissing) return 'missing';
    throw error;
  }
}

const chunkBytes = 1024 * 1024;

/**
 * @throws {DamagedBytes} after the last byte, when the bytes do not match the row; the write then leaves nothing
 * behind.
 */
async function* checkedBytes(store: BlobStore, { id, size, sha256 }: NeededBlob): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  if (size > 0) {
    await using reader = await store.open(id, 0, size - 1);
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size));
    for (let length = await reader.read(chunk); length > 0; length = await reader.read(chunk)) {
      hash.update(chunk.subarray(0, length));
      yield chunk.subarray(0, length);
    }
  }
  if (hash.digest('hex') !== sha256) throw new DamagedBytes();
}
