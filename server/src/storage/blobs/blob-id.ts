import { randomBytes } from 'node:crypto';
import type { BlobId } from './blobs.ts';

/**
 * Returns a new random id. Its third and fourth characters are zeros, so that new blobs share 256 folders of a disk store:
 * with random ones, nearly every upload would make two folders and sync their parents. Older ids are random there.
 */
export function newBlobId(): BlobId {
  const random = randomBytes(15).toString('hex');
  return `${random.slice(0, 2)}00${random.slice(2)}` as BlobId;
}

/** Returns an id for each folder that new blobs share. */
export function* firstBlobs(): Generator<BlobId> {
  for (let at = 0; at < 256; at += 1) yield `${at.toString(16).padStart(2, '0')}00${'0'.repeat(28)}` as BlobId;
}

/** Sorts before every id, where reading in the order of ids begins. */
export const beforeAllBlobs = '' as BlobId;

/**
 * Returns the path of a blob below the folder of a disk store: two levels deep, so that no folder grows without limit.
 */
export function blobPath(id: BlobId): string {
  return `${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`;
}
