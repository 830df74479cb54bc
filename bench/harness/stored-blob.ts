import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Holdfast } from './holdfast.ts';

/** Returns the path of a link's bytes below the blob folder, so that other servers send the very same file. */
export function blobPathOf({ dataDir }: Holdfast, link: string): string {
  using database = new DatabaseSync(join(dataDir, 'holdfast.db'), { timeout: 5000 });
  const name = new URL(link).pathname.replace('/file/', '').replace(/\..*$/, '');
  const row = database.prepare('SELECT blob_id FROM files WHERE name = ?').get(name);
  const id = String(row?.['blob_id']);
  return `${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`;
}
