import { access, mkdir } from 'node:fs/promises';
import { openBlobFolder } from '@holdfast/server/src/open-engines.ts';
import type { BlobStore } from '@holdfast/server/src/engines/blobs/blobs.ts';
import { pathFromCaller } from './settings-folder.ts';

/**
 * Opens the folder of a backup's blobs. Creates it if its parent exists, so that a typo does not create a tree of
 * folders.
 */
export async function openBackupBlobsToWrite(folder: string): Promise<BlobStore> {
  const path = pathFromCaller(folder);
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return openBlobFolder(path);
}

/** @throws when the folder does not exist: a new one would contain none of the bytes. */
export async function openBackupBlobsToRead(folder: string): Promise<BlobStore> {
  const path = pathFromCaller(folder);
  await access(path);
  return openBlobFolder(path);
}
