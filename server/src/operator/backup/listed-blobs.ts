import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readLines } from './lines-file.ts';
import { blobListFile, tableFile, UnusableBackup } from './manifest.ts';
import type { NeededBlob } from './needed-blobs.ts';

/**
 * The blobs in the list of a backup, with the sizes and digests of its own rows: what the live database needs may have
 * changed since. The list and the rows have the same order, so they are read side by side.
 * @throws {UnusableBackup} when the list names a blob that has no row.
 */
export async function* listedBlobs(folder: string): AsyncGenerator<NeededBlob> {
  const path = join(folder, blobListFile);
  await using file = await open(path);
  const listed = file.readLines()[Symbol.asyncIterator]();
  let next = await listed.next();
  for await (const rows of readLines<NeededBlob>(join(folder, tableFile('blobs'))))
    for (const { id, size, sha256 } of rows) {
      if (next.done === true) return;
      if (basename(next.value) !== id) continue;
      yield { id, size, sha256 };
      next = await listed.next();
    }
  if (next.done !== true) throw new UnusableBackup(`${path} names ${next.value}, which has no row in the backup.`);
}
