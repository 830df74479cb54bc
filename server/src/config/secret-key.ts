import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/**
 * The secret that seals API keys and signs codes: `SECRET_KEY`, or one generated on first start and kept in the data
 * folder, readable only by its owner.
 */
export async function loadSecretKey(config: Config): Promise<Buffer> {
  if (config.secretKey !== null) return Buffer.from(config.secretKey);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const path = join(config.dataDir, 'secret.key');
  try {
    // 'wx' fails if the file exists, so of two simultaneous first starts only one generates the key.
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(randomBytes(32).toString('hex'));
    await file.sync();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret.length < 32)
    throw new Error(`${path} is damaged: it holds fewer than 32 characters. Restore it from a backup.`);
  return Buffer.from(secret);
}
