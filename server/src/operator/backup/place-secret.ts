import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { secretFile, UnusableBackup, writeSynced } from './manifest.ts';

/**
 * Puts the backup's secret key where the server looks for it, before anything creates a new one: the API keys are sealed
 * with it. A key that is already there is set aside if `isUnused` reports that nothing is sealed with it.
 * @throws {UnusableBackup} when another key is in use there, or the key was in SECRET_KEY and that is not set now.
 */
export async function placeSecret(
  { secretKey, dataDir }: Config,
  folder: string,
  isUnused: () => Promise<boolean>,
): Promise<void> {
  const source = join(folder, secretFile);
  const saved = await readIfThere(source);
  if (secretKey !== null) {
    if (saved === null || saved === secretKey) return;
    throw new UnusableBackup(`SECRET_KEY is not the secret key of the backup. Set it to what is in ${source}.`);
  }
  if (saved === null)
    throw new UnusableBackup(
      `${folder} has no secret key: it was in SECRET_KEY when the backup was made. Set it first.`,
    );
  const target = join(dataDir, secretFile);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const present = await readIfThere(target);
  if (present === saved) return;
  if (present !== null) {
    if (!(await isUnused()))
      throw new UnusableBackup(
        `${target} is not the secret key of the backup, and the database has accounts that need it. ` +
          'Restore with another DATA_DIR and an empty database.',
      );
    await rename(target, `${target}.before-restore`);
  }
  await writeSynced(target, saved);
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
}
