import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BlobId } from '@holdfast/server/src/storage/blobs/blobs.ts';
import { blobPath } from '@holdfast/server/src/storage/blobs/disk.ts';
import type { Holdfast } from './holdfast.ts';

/** Returns the path of a link's bytes below the blob folder, so that other servers send the very same file. */
export function blobPathOf({ dataDir }: Holdfast, link: string): string {
  using database = new DatabaseSync(join(dataDir, 'holdfast.db'), { timeout: 5000 });
  const name = new URL(link).pathname.replace('/file/', '').replace(/\..*$/, '');
  const row = database.prepare('SELECT blob_id FROM files WHERE name = ?').get(name);
  return blobPath(String(row?.['blob_id']) as BlobId);
}
