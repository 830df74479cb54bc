import { stat, utimes } from 'node:fs/promises';
import type { TestServer } from './start-server.ts';
import { pathsOnDisk } from './uploads.ts';

/** Makes stored bytes older: the storage has its own clock, which a test cannot control. */
export async function ageBytes(server: TestServer, ms: number): Promise<void> {
  for (const path of await pathsOnDisk(server)) {
    const written = (await stat(path)).mtimeMs;
    await utimes(path, (written - ms) / 1000, (written - ms) / 1000);
  }
}
