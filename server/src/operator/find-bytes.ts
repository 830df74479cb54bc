import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';

/** Bytes that an operator named, with the file name if one was used. */
export interface FoundBytes {
  readonly sha256: string;
  /** The blob that has these bytes now, or the one that had them if they have been deleted from storage. */
  readonly blobId: BlobId;
  /** The file that was named, live or deleted; null if a digest was given. */
  readonly name: string | null;
}

/**
 * Resolves `text`, which is the name of a file, its link on any host, or a SHA-256. Deleted files are found as well. A
 * name leads to its digest, and the digest to its current blob, because purged bytes may have been uploaded again.
 * @throws {Failure} FILE_NOT_FOUND.
 */
export async function findBytes({ db }: Pick<Context, 'db'>, text: string): Promise<FoundBytes> {
  if (/^[0-9a-f]{64}$/i.test(text)) {
    const sha256 = text.toLowerCase();
    const blob = await db.selectFrom('blobs').select('id').where('sha256', '=', sha256).executeTakeFirst();
    if (!blob) throw new Failure('FILE_NOT_FOUND', `Nothing with the SHA-256 ${sha256} is stored here.`);
    return { sha256, blobId: blob.id, name: null };
  }
  const name = nameIn(text);
  const file = await db
    .selectFrom('files')
    .leftJoin('blobs', 'blobs.sha256', 'files.sha256')
    .select(['files.name', 'files.sha256', 'files.blob_id as before', 'blobs.id as today'])
    .where('files.name', '=', name)
    .executeTakeFirst();
  if (!file) throw new Failure('FILE_NOT_FOUND', `There is no file named '${name}', and there never was one.`);
  return { sha256: file.sha256, blobId: file.today ?? file.before, name: file.name };
}

/** `https://host/file/q7Rt2mXa.zip?no-count=true`, `host/file/q7Rt2mXa` and `q7Rt2mXa.zip` all name q7Rt2mXa. */
function nameIn(text: string): string {
  const [, target = text] = /\/file\/([^/?#]+)/.exec(text) ?? [];
  return target.replace(/\..*$/, '');
}
