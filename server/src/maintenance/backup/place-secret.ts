import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { secretFile, UnusableBackup } from './manifest.ts';

/**
 * Puts the backup's secret key where the server looks for it, before anything makes a new one: the backup's API keys are
 * sealed with it. Where SECRET_KEY is set, or the backup was made where it was, there is nothing to put.
 * @throws {UnusableBackup} when another key is there.
 */
export async function placeSecret({ secretKey, dataDir }: Config, folder: string): Promise<void> {
  if (secretKey !== null) return;
  const source = join(folder, secretFile);
  const saved = await readIfThere(source);
  if (saved === null) return;
  const target = join(dataDir, secretFile);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const present = await readIfThere(target);
  if (present === null) return copyFile(source, target, constants.COPYFILE_EXCL);
  if (present.trim() !== saved.trim())
    throw new UnusableBackup(
      `${target} is not the secret key of the backup. Move it away if no service needs it, and restore again.`,
    );
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
}
