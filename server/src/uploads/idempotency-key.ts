/** All tries of one upload send the same `Idempotency-Key`: its file is stored once, and each try returns its link. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { uploadKey } from '@holdfast/contract/src/files.ts';
import { createHash } from 'node:crypto';
import type { Caller } from '../accounts/identify.ts';
import { lockUploader } from '../accounts/lock-uploader.ts';
import type { Context } from '../context.ts';
import type { Database } from '../storage/db/database.ts';
import type { FileRow } from '../storage/db/schema.ts';
import type { Part } from '../http/multipart.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { compareDigest, type FileOfForm, readForm } from './receive.ts';

export function readUploadKey(accountId: string, header: unknown): string | null {
  if (header === undefined) return null;
  const { success, data, error } = uploadKey.safeParse(header);
  if (!success) throw new Failure('INVALID_INPUT', error.issues[0]?.message);
  return sha256Hex(`${accountId}\n${data}`);
}

export const findFileOfKey = (db: Database, key: string): Promise<FileRow | undefined> =>
  db.selectFrom('files').selectAll().where('upload_key', '=', key).executeTakeFirst();

/** Stores nothing, and reads no further than the length of the stored file. */
export function readRepeated(parts: AsyncIterable<Part>, { size }: FileRow): Promise<FileOfForm> {
  return readForm(parts, async (_name, source) => {
    const [hash, into] = [createHash('sha256'), Buffer.allocUnsafe(64 * 1024)];
    let length = 0;
    for (let count; (count = await source.read(into)) > 0; hash.update(into.subarray(0, count)))
      if ((length += count) > size) throw new Failure('UPLOAD_KEY_REUSED');
    return { size: length, sha256: hash.digest('hex') };
  });
}

export async function acceptRepeated(
  { db, blobs, clock }: Pick<Context, 'db' | 'blobs' | 'clock'>,
  caller: Caller,
  stored: FileRow,
  { sha256, promisedSha1 }: FileOfForm,
): Promise<FileRow> {
  await db.transaction().execute((tx) => lockUploader(tx, caller, clock.now()));
  if (stored.sha256 !== sha256) throw new Failure('UPLOAD_KEY_REUSED');
  if (stored.deleted_at !== null) throw new Failure('UPLOAD_DELETED_SINCE');
  if (promisedSha1 !== null)
    compareDigest('sha_1', promisedSha1, await blobs.sha1.of({ blobId: stored.blob_id, size: stored.size, sha256 }));
  return stored;
}
