import { access, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { blobListFile, partOf } from './manifest.ts';

/**
 * Returns the folders of unfinished backups beside `folder`. Nothing shows whether one is still being written, so the
 * operator removes it: it contains what a backup contains, and maybe the secret key.
 */
export async function unfinishedBackups(folder: string): Promise<string[]> {
  const around = dirname(resolve(folder));
  const paths = (await readdir(around)).filter((name) => name.endsWith(partOf(''))).map((name) => join(around, name));
  const found = await Promise.all(paths.map(isBackup));
  return paths.filter((_, at) => found[at]);
}

async function isBackup(path: string): Promise<boolean> {
  return access(join(path, blobListFile)).then(
    () => true,
    () => false,
  );
}
