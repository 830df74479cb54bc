import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { blobPath } from './blob-id.ts';
import type { BlobId, StoredBlob } from './blobs.ts';

/**
 * Lists the blobs below the folder of a disk store in the order of their ids. It holds the names of one inner folder in
 * memory at a time, a 256th of all. Entries with another name, or in the wrong folder, are not blobs.
 */
export async function* listFolder(folder: string, after?: BlobId): AsyncGenerator<StoredBlob> {
  const from = after ?? '';
  for (const outer of await namesIn(folder, /^[0-9a-f]{2}$/, from.slice(0, 2)))
    for (const inner of await namesIn(
      join(folder, outer),
      /^[0-9a-f]{2}$/,
      from.startsWith(outer) ? from.slice(2, 4) : '',
    ))
      for (const names of inBatches(
        await namesIn(join(folder, outer, inner), new RegExp(`^${outer}${inner}[0-9a-f]{28}$`), from),
      ))
        for (const found of await Promise.all(names.map((name) => blobNamed(folder, name as BlobId))))
          if (found && found.id !== after) yield found;
}

/** Asking for one file after the other would take as many round trips to a disk that is far away. */
const askedAtOnce = 32;

function* inBatches(names: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < names.length; from += askedAtOnce) yield names.slice(from, from + askedAtOnce);
}

async function blobNamed(folder: string, id: BlobId): Promise<StoredBlob | null> {
  const facts = await factsOf(join(folder, blobPath(id)));
  return facts?.isFile() ? { id, size: facts.size, storedAt: facts.mtimeMs } : null;
}

/**
 * Returns the names in byte order; empty if the folder is missing or is not a folder. Links are left out: the sweep
 * deletes what is listed, and nothing behind a link is a blob of this storage.
 */
async function namesIn(folder: string, pattern: RegExp, from: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isOneOf(error, ['ENOENT', 'ENOTDIR'])) return [];
    throw error;
  });
  return entries
    .filter((entry) => pattern.test(entry.name) && entry.name >= from && !entry.isSymbolicLink())
    .map(({ name }) => name)
    .toSorted();
}

/** Returns null if the file was removed after its folder was read. */
async function factsOf(path: string) {
  return lstat(path).catch((error: unknown) => {
    if (isOneOf(error, ['ENOENT'])) return null;
    throw error;
  });
}

const isOneOf = (error: unknown, codes: readonly string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
