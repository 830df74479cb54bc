/** Files on the disk that can change, be rebuilt or vanish after a user has chosen them. */
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DiskFolder extends AsyncDisposable {
  /** Writes a file with an older modification time. Resolves with its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
}

export async function openDiskFolder(): Promise<DiskFolder> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-disk-'));
  const at = (name: string) => join(path, name);
  return {
    async write(name, content) {
      await writeFile(at(name), content);
      // Browsers detect a change by the modification time, some of them in whole seconds.
      const before = new Date(Date.now() - 60_000);
      await utimes(at(name), before, before);
      return at(name);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
