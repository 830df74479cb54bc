import { stat, utimes } from 'node:fs/promises';
import type { TestServer } from './start-server.ts';
import { pathsOnDisk } from './uploads.ts';

/** The storage has a clock of its own, which a test cannot move: it makes what is stored older instead. */
export async function ageBytes(server: TestServer, ms: number): Promise<void> {
  for (const path of await pathsOnDisk(server)) {
    const written = (await stat(path)).mtimeMs;
    await utimes(path, (written - ms) / 1000, (written - ms) / 1000);
  }
}
