import type { Context } from '../context.ts';
import { type BlobId, isOfBytes, StorageReplaced } from '../storage/blobs/blobs.ts';
import type { Received } from './receive.ts';

/** The received bytes take the place of equal ones that are missing, of the wrong size or could not be read. */
export async function replaceLostBytes(
  { blobs, log }: Pick<Context, 'blobs' | 'log'>,
  blobId: BlobId,
  { blobId: from, size }: Received,
): Promise<void> {
  const stored = await blobs.size(blobId).catch((error: unknown) => {
    if (isOfBytes(error)) return null;
    throw error;
  });
  if (stored === size && !blobs.unreadable.has(blobId)) return;
  if (!blobs.holds(from, size)) throw new StorageReplaced();
  await blobs.replace(from, blobId);
  blobs.unreadable.forget(blobId);
  log.error(
    { blob: blobId, stored, size },
    'ALARM: stored bytes were lost; an upload of the same bytes has repaired them',
  );
}
