import type { Context } from '../../context.ts';
import { type BlobId, BlobMissing, type BlobStore } from '../../engines/blobs/blobs.ts';
import { neededBlobs } from './needed-blobs.ts';

export interface LookOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (blobs: number) => void;
}

/** Blobs that are used or held whose bytes are not in the storage, or not whole. */
export async function findMissing(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  { signal, onProgress }: LookOptions,
): Promise<BlobId[]> {
  const missing: BlobId[] = [];
  let seen = 0;
  for await (const { id, size } of neededBlobs(db)) {
    signal.throwIfAborted();
    if ((await sizeIn(blobs, id)) !== size) missing.push(id);
    onProgress?.((seen += 1));
  }
  return missing;
}

/** Null where the store has no such blob. */
export async function sizeIn(store: BlobStore, id: BlobId): Promise<number | null> {
  return store.size(id).catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });
}
