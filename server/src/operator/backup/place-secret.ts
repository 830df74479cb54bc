import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { secretFile, UnusableBackup } from './manifest.ts';

/**
 * Puts the backup's secret key where the server looks for it, before anything creates a new one: the backup's API keys
 * are sealed with it, and no owner could see their account without it. A key that is already there is set aside if
 * `isUnused` reports that nothing can be sealed with it. If SECRET_KEY is set, there is nothing to place.
 * @throws {UnusableBackup} when another key is in use there, or the key was in SECRET_KEY and that is not set now.
 */
export async function placeSecret(
  { secretKey, dataDir }: Config,
  folder: string,
  isUnused: () => Promise<boolean>,
): Promise<void> {
  const source = join(folder, secretFile);
  const saved = (await readIfThere(source))?.trim();
  if (secretKey !== null) {
    if (saved === undefined || saved === secretKey) return;
    throw new UnusableBackup(`SECRET_KEY is not the secret key of the backup. Set it to what is in ${source}.`);
  }
  if (saved === undefined)
    throw new UnusableBackup(
      `${folder} has no secret key: it was in SECRET_KEY when the backup was made. Set it first.`,
    );
  const target = join(dataDir, secretFile);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const present = await readIfThere(target);
  if (present?.trim() === saved) return;
  if (present !== null) {
    if (!(await isUnused()))
      throw new UnusableBackup(
        `${target} is not the secret key of the backup, and the database has accounts that need it. ` +
          'Restore with another DATA_DIR and an empty database.',
      );
    await rename(target, `${target}.before-restore`);
  }
  await writeSecret(target, saved);
}

async function writeSecret(target: string, secret: string): Promise<void> {
  await using file = await open(target, 'wx', 0o600);
  await file.writeFile(secret);
  await file.sync();
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
}
