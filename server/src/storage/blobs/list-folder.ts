import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { blobPath } from './blob-id.ts';
import type { BlobId, StoredBlob } from './blobs.ts';

/** A disk may be far away. */
const askedAtOnce = 32;

/** It holds the names of one inner folder in memory at a time. Entries in the wrong folder are not blobs. */
export async function* listFolder(folder: string, after = ''): AsyncGenerator<StoredBlob> {
  for (const outer of await namesIn(folder, /^[0-9a-f]{2}$/, after.slice(0, 2)))
    for (const inner of await namesIn(
      join(folder, outer),
      /^[0-9a-f]{2}$/,
      after.startsWith(outer) ? after.slice(2, 4) : '',
    )) {
      const names = await namesIn(join(folder, outer, inner), new RegExp(`^${outer}${inner}[0-9a-f]{28}$`), after);
      for (let from = 0; from < names.length; from += askedAtOnce)
        for (const found of await Promise.all(names.slice(from, from + askedAtOnce).map((id) => blobIn(folder, id))))
          if (found && found.id !== after) yield found;
    }
}

async function blobIn(folder: string, name: string): Promise<StoredBlob | null> {
  const id = name as BlobId;
  // It may have been removed after its folder was read.
  const facts = await lstat(join(folder, blobPath(id))).catch(unless(['ENOENT'], null));
  return facts?.isFile() ? { id, size: facts.size, storedAt: facts.mtimeMs } : null;
}

/** Names in byte order. Links are left out: the sweep deletes what is listed, and nothing behind a link is a blob. */
async function namesIn(folder: string, pattern: RegExp, from: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unless(['ENOENT', 'ENOTDIR'], []));
  return entries
    .filter((entry) => pattern.test(entry.name) && entry.name >= from && !entry.isSymbolicLink())
    .map(({ name }) => name)
    .toSorted();
}

function unless<T>(codes: readonly string[], value: T): (error: unknown) => T {
  return (error) => {
    if (codes.includes(String((error as NodeJS.ErrnoException).code))) return value;
    throw error;
  };
}
