import { randomBytes } from 'node:crypto';
import type { BlobId } from './blobs.ts';

/**
 * Its third and fourth characters are zeros, so that new blobs share 256 folders of a disk store: with random ones, nearly
 * every upload would make two folders and sync their parents. Older ids are random there.
 */
export function newBlobId(): BlobId {
  const random = randomBytes(15).toString('hex');
  return `${random.slice(0, 2)}00${random.slice(2)}` as BlobId;
}

/** The path of a blob below the folder of a disk store: two levels deep, so that no folder grows without limit. */
export const blobPath = (id: BlobId): string => `${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`;
