/** Files that hold secrets or personal data: only the user of the server may read them. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** Permission to read or write, for the group and for all other users. */
const othersMayUse = 0o066;

/** Returns the paths of the data folder, its secret key and the database that other users may read or write. */
export async function exposedFiles(config: Pick<Config, 'dataDir' | 'database'>): Promise<readonly string[]> {
  const checked = await Promise.all(privatePaths(config).map(async (path) => ((await isExposed(path)) ? [path] : [])));
  return checked.flat();
}

async function isExposed(path: string): Promise<boolean> {
  // Windows has no such permissions, and Node makes them up.
  if (process.platform === 'win32') return false;
  const facts = await stat(path).catch(() => null);
  return facts !== null && (facts.mode & othersMayUse) !== 0;
}

function privatePaths({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): string[] {
  const files = database.engine === 'sqlite' ? ['', '-wal', '-shm'].map((end) => database.path + end) : [];
  return [dataDir, join(dataDir, 'secret.key'), ...files];
}
