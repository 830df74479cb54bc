import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

const othersMayUse = 0o066;

export async function exposedFiles({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const files = database.engine === 'sqlite' ? ['', '-wal', '-shm'].map((end) => database.path + end) : [];
  const paths = [dataDir, join(dataDir, 'secret.key'), ...files];
  const modes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mode }) => mode,
        () => 0,
      ),
    ),
  );
  return paths.filter((_, at) => ((modes[at] ?? 0) & othersMayUse) !== 0);
}
