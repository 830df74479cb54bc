import { randomBytes } from 'node:crypto';
import type { BlobId } from './blobs.ts';

export function newBlobId(): BlobId {
  return randomBytes(16).toString('hex') as BlobId;
}

/** Sorts before every id, where reading in the order of ids begins. */
export const beforeAllBlobs = '' as BlobId;

/**
 * Returns the path of a blob below the folder of a disk store: two levels deep, so that no folder grows without limit.
 */
export function blobPath(id: BlobId): string {
  return `${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`;
}
