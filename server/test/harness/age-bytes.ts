import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { blobPath } from '../../src/engines/blobs/blob-id.ts';
import type { BlobId } from '../../src/engines/blobs/blobs.ts';
import type { TestServer } from './start-server.ts';
import { blobsOnDisk } from './uploads.ts';

/** The storage has a clock of its own, which a test cannot move: it makes what is stored older instead. */
export async function ageBytes(server: TestServer, ms: number): Promise<void> {
  for (const id of await blobsOnDisk(server)) {
    const path = join(server.dataDir, 'blobs', blobPath(id as BlobId));
    const written = (await stat(path)).mtimeMs;
    await utimes(path, (written - ms) / 1000, (written - ms) / 1000);
  }
}
