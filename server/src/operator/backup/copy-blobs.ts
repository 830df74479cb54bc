import { type BlobId, BlobMissing, type BlobStore } from '../../engines/blobs/blobs.ts';
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
 * Copies the bytes of `blobs` from one store to another and skips those already there. Bytes are
 * stored only if they match the SHA-256 of their row. Blobs never change, so one folder serves as the target of
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
    await using reader = await from.open(blob.id, 0, blob.size - 1);
    await to.write(blob.id, reader, ({ sha256 }) => {
      if (sha256 !== blob.sha256) throw new DamagedBytes();
    });
    return 'copied';
  } catch (error) {
    if (error instanceof DamagedBytes) return 'damaged';
    if (error instanceof BlobMissing) return 'missing';
    throw error;
  }
}
