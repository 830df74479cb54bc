import type { Context } from '../context.ts';
import { BlobMissing, type BlobId } from '../engines/blobs/blobs.ts';
import { readBlob, type StoredBytes } from './read-blob.ts';

/**
 * Where a blob that is in use has lost its bytes, gives it those of an equal one: who has just sent them would otherwise
 * be told that they are stored, and nobody could ever have them.
 */
export async function mendBlob({ blobs, log }: Context, blobId: BlobId, equal: StoredBytes): Promise<void> {
  const stored = await blobs.size(blobId).catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });
  if (stored === equal.size) return;
  await blobs.write(blobId, readBlob(blobs, equal));
  log.error(
    { blob: blobId, stored, size: equal.size },
    'ALARM: stored bytes were missing or short; an upload of the same ones has mended that',
  );
}
