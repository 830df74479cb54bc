import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobId, BlobUnreadable, type StoredBlob } from './blobs.ts';
import { bytesUnreadable, unless } from './disk-errors.ts';

/** A disk may be far away. */
const atOnce = 32;

type OnUnreadable = (error: BlobUnreadable) => void;

interface Disk {
  readonly folder: string;
  readonly pathOf: (id: BlobId) => string;
}

/** In the order of their ids. */
export async function* listBlobs(
  { folder, pathOf }: Disk,
  after = '',
  onUnreadable: OnUnreadable = (error) => {
    throw error;
  },
): AsyncGenerator<StoredBlob> {
  const blobIn = async (id: BlobId): Promise<StoredBlob | null> => {
    const found = lstat(pathOf(id)).catch(unless(['ENOENT'], null));
    const facts = await found.catch((error: unknown) => onUnreadable(bytesUnreadable(id, error)));
    return facts?.isFile() ? { id, size: facts.size, storedAt: facts.mtimeMs } : null;
  };
  /** In byte order. Nothing behind a link is a blob: the sweep deletes what is listed. */
  const namesIn = async (path: string, pattern: RegExp, from: string): Promise<string[]> => {
    const found = readdir(path, { withFileTypes: true }).catch(unless(['ENOENT', 'ENOTDIR'], []));
    const entries = await found.catch((error: unknown) =>
      onUnreadable(new BlobUnreadable(`The folder ${path}`, error)),
    );
    return (entries ?? [])
      .filter((entry) => pattern.test(entry.name) && entry.name >= from && !entry.isSymbolicLink())
      .map(({ name }) => name)
      .toSorted();
  };
  for (const outer of await namesIn(folder, /^[0-9a-f]{2}$/, after.slice(0, 2))) {
    const from = after.startsWith(outer) ? after.slice(2, 4) : '';
    for (const inner of await namesIn(join(folder, outer), /^[0-9a-f]{2}$/, from)) {
      const names = await namesIn(join(folder, outer, inner), new RegExp(`^${outer}${inner}[0-9a-f]{28}$`), after);
      for (let at = 0; at < names.length; at += atOnce)
        for (const found of await Promise.all(names.slice(at, at + atOnce).map((name) => blobIn(name as BlobId))))
          if (found && found.id !== after) yield found;
    }
  }
}
