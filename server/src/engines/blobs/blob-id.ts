import { randomBytes } from 'node:crypto';
import type { BlobId } from './blobs.ts';

export function newBlobId(): BlobId {
  return randomBytes(16).toString('hex') as BlobId;
}

/** Where a blob lies below the folder of a disk store: two levels deep, so that no folder grows endless. */
export function blobPath(id: BlobId): string {
  return `${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`;
}
