import type { Context } from '../context.ts';
import type { BlobCache } from '../delivery/blob-cache.ts';
import { BlobMissing, type BlobId } from '../engines/blobs/blobs.ts';
import { digestOf } from './digest-of.ts';
import type { Received } from './receive-form.ts';

/** A larger blob is compared by its size alone: all other changes of the database wait for an upload that commits. */
const largestHashed = 1024 * 1024;

/**
 * Moves the received bytes to the place of the equal ones that they share a blob with, where those are lost or damaged:
 * otherwise the uploader would be told that they are stored, and nobody could ever have them. The transaction has to hold
 * the blob's row, so that one of several uploads does it. Whether it commits or not, the bytes are right for that blob.
 * Returns whether it did.
 * @throws {StorageFull} when there is no space left.
 */
export async function mendBlob(
  { blobs, log }: Pick<Context, 'blobs' | 'log'>,
  cache: Pick<BlobCache, 'forget'>,
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
  cache.forget([blobId]);
  log.error(
    { blob: blobId, stored, size },
    'ALARM: stored bytes were missing or damaged; an upload of the same ones has mended that',
  );
  return true;
}
