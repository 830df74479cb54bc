import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import { BlobMissing, type BlobId } from '../engines/blobs/blobs.ts';
import { digestOf } from '../files/digest-of.ts';
import type { Received } from './receive-form.ts';

/** A larger blob is compared by size alone, because all other database writes wait while an upload commits. */
const largestHashed = 1024 * 1024;

/**
 * Repairs a lost or damaged blob with the equal bytes just received. Without this, the uploader would see a successful
 * upload whose bytes cannot be downloaded. The transaction must hold a lock on the blob's row, so that only one of
 * several uploads repairs it. Whether or not it commits, the bytes are right for that blob. Returns whether it repaired
 * the blob.
 * @throws {StorageFull} when there is no space left.
 */
export async function mendBlob(
  { blobs, log }: Pick<Context, 'blobs' | 'log'>,
  memory: BlobMemory,
  blobId: BlobId,
  { blobId: from, size, sha256 }: Received,
): Promise<boolean> {
  const stored = await blobs.size(blobId).catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });
  const isWhole =
    stored === size && (size > largestHashed || (await digestOf(blobs, { blobId, size }))?.sha256 === sha256);
  if (isWhole) return false;
  await blobs.replace(from, blobId);
  memory.forget([blobId]);
  log.error(
    { blob: blobId, stored, size },
    'ALARM: stored bytes were missing or damaged; an upload of the same bytes has repaired them',
  );
  return true;
}
