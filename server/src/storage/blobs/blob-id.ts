import { randomUUID } from 'node:crypto';
import type { BlobId } from './blobs.ts';

/** New blobs share 256 folders of a disk store: nearly every upload would make and sync two otherwise. */
export function newBlobId(): BlobId {
  const random = randomUUID().replaceAll('-', '');
  return `${random.slice(0, 2)}00${random.slice(2, 30)}` as BlobId;
}
