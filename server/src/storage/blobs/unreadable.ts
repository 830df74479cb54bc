import { createLru } from '../../lib/lru.ts';
import { type BlobId, BlobUnreadable } from './blobs.ts';

const mostNoted = 10_000;

/** Blobs that this process could not read. An upload of the same bytes replaces them, and loses nothing if it was wrong. */
export function openUnreadable() {
  const noted = createLru<BlobId, true>(mostNoted);
  return {
    note(error: unknown): void {
      if (error instanceof BlobUnreadable && error.blob !== null) noted.set(error.blob, true);
    },
    has: (id: BlobId): boolean => noted.get(id) === true,
    forget: (id: BlobId): void => void noted.delete(id),
  };
}
