import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { searchTextOf } from '@holdfast/server/src/lib/search-text.ts';
import type { Account } from '../harness/account.ts';
import { root } from '../harness/children.ts';
import type { Holdfast } from '../harness/holdfast.ts';

const kinds = ['png', 'gz', 'pdf', 'zip', 'txt', 'mp4', 'csv', ''];
const hour = 3_600_000;

/**
 * Gives an account `count` files: an uploaded picture, and others inserted directly into the database. Every sort
 * orders them differently. Files with a preview are the same picture again.
 */
export async function seedFiles(server: Holdfast, account: Account, count: number): Promise<void> {
  await uploadPicture(server, account);
  using database = new DatabaseSync(join(server.dataDir, 'holdfast.db'), { timeout: 5000 });
  const insert = database.prepare(`
    INSERT INTO files (id, account_id, name, original_name, search_text, extension, size, sha256, blob_id, is_favorite,
      hits, last_accessed_at, uploaded_at)
    SELECT :id, account_id, :name, :original, :search, :extension, coalesce(:size, size), sha256, blob_id, 0, :hits,
      :accessed, :uploaded FROM files LIMIT 1`);
  database.exec('BEGIN');
  for (let at = 1; at < count; at += 1) insert.run(fileAt(at, count));
  database.exec(`
    UPDATE blobs SET used_by = (SELECT count(*) FROM files WHERE blob_id = blobs.id);
    UPDATE accounts SET (space_used, slots_used) = (SELECT sum(size), count(*) FROM files WHERE account_id = accounts.id);
    COMMIT`);
}

function fileAt(at: number, count: number) {
  // Multiples of a prime visit every number once before they repeat.
  const mixed = (at * 7919) % count;
  const extension = kinds[mixed % kinds.length] ?? '';
  const name = `Bench${mixed.toString(36).padStart(5, '0')}`;
  const original = `Report ${at} of the harbour, with soundings and tides${extension && `.${extension}`}`;
  return {
    id: `bench-${at}`,
    name,
    original,
    search: searchTextOf(name, original),
    extension,
    size: extension === 'png' ? null : 1000 + mixed * 12_345,
    hits: (mixed * 31) % 1000,
    accessed: mixed % 3 === 0 ? 0 : Date.now() - mixed * hour,
    uploaded: Date.now() - at * hour,
  };
}

async function uploadPicture(server: Holdfast, { apiKey }: Account): Promise<void> {
  const form = new FormData();
  form.append('file', await openAsBlob(join(root, 'e2e/fixtures/picture.png')), 'picture.png');
  const answer = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey },
    body: form,
  });
  if (!answer.ok) throw new Error(`the upload of the picture answered ${answer.status}`);
}
