import type { Context } from '../../context.ts';
import type { BlobStore } from '../../engines/blobs/blobs.ts';
import { holdBytes } from '../../maintenance/backup-holds.ts';
import { type CopiedBlobs, copyBlobs } from './copy-blobs.ts';
import { listedBlobs } from './listed-blobs.ts';
import { type BackupOptions, makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';

export interface BackUpOptions extends BackupOptions {
  readonly onBlobs?: (blobs: number) => void;
}

export interface BackedUp {
  readonly manifest: Manifest;
  readonly copied: CopiedBlobs;
}

/**
 * Makes a backup in a new folder and copies its bytes into `pool`, however many files are deleted in the meantime: no
 * bytes are purged before it ends.
 * @throws {UnusableBackup} see `makeBackup`.
 */
export async function backUp(
  context: Context,
  folder: string,
  pool: BlobStore,
  { onBlobs, ...options }: BackUpOptions,
): Promise<BackedUp> {
  await using _ = await holdBytes(context);
  const manifest = await makeBackup(context, folder, options);
  const { signal } = options;
  const copied = await copyBlobs(listedBlobs(folder), context.blobs, pool, {
    signal,
    ...(onBlobs && { onProgress: onBlobs }),
  });
  return { manifest, copied };
}
