import { randomBytes } from 'node:crypto';
import type { BlobId } from './blobs.ts';

export function newBlobId(): BlobId {
  return randomBytes(16).toString('hex') as BlobId;
}
