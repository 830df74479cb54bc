import { access, mkdir } from 'node:fs/promises';
import { openBlobFolder } from '@holdfast/server/src/context.ts';
import type { BlobStore } from '@holdfast/server/src/engines/blobs/blobs.ts';
import { pathFromCaller } from './settings-folder.ts';

/** The folder of blobs of a backup; a new one where the folder around it is there, so that a slip makes no tree. */
export async function openPoolToWrite(folder: string): Promise<BlobStore> {
  const path = pathFromCaller(folder);
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return openBlobFolder(path);
}

/** @throws when there is none: an empty one would have none of the bytes. */
export async function openPoolToRead(folder: string): Promise<BlobStore> {
  const path = pathFromCaller(folder);
  await access(path);
  return openBlobFolder(path);
}
