import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { blobPath } from './blob-id.ts';
import type { BlobId, StoredBlob } from './blobs.ts';

/**
 * The blobs below the folder of a disk store, in the order of their ids. The names of one inner folder are in memory at
 * a time, a 65,536th of all. What has another name, or lies in another folder than its own, is none.
 */
export async function* listFolder(folder: string, after?: BlobId): AsyncGenerator<StoredBlob> {
  const from = after ?? '';
  for (const outer of await namesIn(folder, /^[0-9a-f]{2}$/, from.slice(0, 2)))
    for (const inner of await namesIn(
      join(folder, outer),
      /^[0-9a-f]{2}$/,
      from.startsWith(outer) ? from.slice(2, 4) : '',
    ))
      for (const name of await namesIn(
        join(folder, outer, inner),
        new RegExp(`^${outer}${inner}[0-9a-f]{28}$`),
        from,
      )) {
        const id = name as BlobId;
        const facts = id === after ? null : await factsOf(join(folder, blobPath(id)));
        if (facts?.isFile()) yield { id, size: facts.size, storedAt: facts.mtimeMs };
      }
}

/** In the order of bytes; a folder that is not there, or no folder, has none. */
async function namesIn(folder: string, pattern: RegExp, from: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isOneOf(error, ['ENOENT', 'ENOTDIR'])) return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name) && name >= from).toSorted();
}

/** Null when it was removed since its folder was read. */
async function factsOf(path: string) {
  return lstat(path).catch((error: unknown) => {
    if (isOneOf(error, ['ENOENT'])) return null;
    throw error;
  });
}

const isOneOf = (error: unknown, codes: readonly string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
