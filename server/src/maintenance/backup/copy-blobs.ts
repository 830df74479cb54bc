import type { Context } from '../../context.ts';
import type { BlobId, BlobStore } from '../../engines/blobs/blobs.ts';
import { type LookOptions, sizeIn } from './find-missing.ts';
import { neededBlobs } from './needed-blobs.ts';

export interface CopiedBlobs {
  readonly copied: number;
  /** Those that were at their place already, whole. */
  readonly kept: number;
  /** Blobs that `from` has not, or not whole. */
  readonly missing: BlobId[];
}

/**
 * Copies the bytes that the database's files need from one store to another, and leaves out what is there. Blobs never
 * change, so one folder serves as the target of every backup.
 */
export async function copyBlobs(
  { db }: Pick<Context, 'db'>,
  from: BlobStore,
  to: BlobStore,
  { signal, onProgress }: LookOptions,
): Promise<CopiedBlobs> {
  let [copied, kept] = [0, 0];
  const missing: BlobId[] = [];
  for await (const { id, size } of neededBlobs(db)) {
    signal.throwIfAborted();
    if ((await sizeIn(to, id)) === size) kept += 1;
    else if (await copy(from, to, id, size)) copied += 1;
    else missing.push(id);
    onProgress?.(copied + kept);
  }
  return { copied, kept, missing };
}

async function copy(from: BlobStore, to: BlobStore, id: BlobId, size: number): Promise<boolean> {
  if ((await sizeIn(from, id)) !== size) return false;
  // What is there has another size: it is what a broken copy left.
  await to.remove(id);
  await to.write(id, bytesOf(from, id, size));
  return true;
}

const chunkBytes = 1024 * 1024;

async function* bytesOf(store: BlobStore, id: BlobId, size: number): AsyncGenerator<Buffer> {
  if (size === 0) return;
  await using reader = await store.open(id, 0, size - 1);
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size));
  for (let length = await reader.read(chunk); length > 0; length = await reader.read(chunk))
    yield chunk.subarray(0, length);
}
