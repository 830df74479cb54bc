import { randomUUID } from 'node:crypto';
import type { BlobId } from './blobs.ts';

const idsInRow = 256;
let folder = '';
let left = 0;

/**
 * New blobs share 256 folders of a disk store: nearly every upload would make and sync two otherwise. Those of one time
 * share one of them, and its syncs.
 */
export function newBlobId(): BlobId {
  const random = randomUUID().replaceAll('-', '');
  if (left === 0) [folder, left] = [random.slice(0, 2), idsInRow];
  left -= 1;
  return `${folder}00${random.slice(2, 30)}` as BlobId;
}
