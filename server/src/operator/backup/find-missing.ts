import type { Context } from '../../context.ts';
import { type BlobId, BlobMissing, type BlobStore } from '../../engines/blobs/blobs.ts';
import { neededBlobs } from './needed-blobs.ts';

export interface LookOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (blobs: number) => void;
}

export interface FoundBlobs {
  /** Number of blobs that are used or held. */
  readonly needed: number;
  /** The needed blobs whose bytes are absent or incomplete in the storage. */
  readonly missing: BlobId[];
}

/** Checks the storage for the bytes of every blob that is used or held. */
export async function findMissing(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  { signal, onProgress }: LookOptions,
): Promise<FoundBlobs> {
  const missing: BlobId[] = [];
  let needed = 0;
  for await (const { id, size } of neededBlobs(db)) {
    signal.throwIfAborted();
    if ((await sizeIn(blobs, id)) !== size) missing.push(id);
    onProgress?.((needed += 1));
  }
  return { needed, missing };
}

/** Returns null if the store has no such blob. */
export async function sizeIn(store: BlobStore, id: BlobId): Promise<number | null> {
  return store.size(id).catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });
}
