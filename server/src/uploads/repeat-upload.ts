import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { FileRow } from '../engines/database/schema.ts';
import type { StoredUpload } from './idempotency-key.ts';
import { compareDigest, type FileOfForm } from './receive-form.ts';
import { holdAccount } from './upload-limits.ts';

/**
 * Returns the stored file when a try sends the same upload again. Nothing new is stored.
 * @throws {Failure} UPLOAD_KEY_REUSED when the upload differs, UPLOAD_DELETED_SINCE, UPLOAD_DIGEST_MISMATCH,
 * AUTH_INVALID_KEY, AUTH_REQUIRED.
 */
export async function repeatUpload(
  { db, clock, sha1 }: Pick<Context, 'db' | 'clock' | 'sha1'>,
  caller: Caller,
  { fileId }: StoredUpload,
  { originalName, size, sha256, promisedSha1 }: FileOfForm,
): Promise<Pick<FileRow, 'name' | 'extension' | 'pending_scan'>> {
  const file = await db.transaction().execute(async (tx) => {
    await holdAccount(tx, caller, clock.now());
    return tx.selectFrom('files').selectAll().where('id', '=', fileId).executeTakeFirstOrThrow();
  });
  // The name of a deleted file may already be erased.
  const isSame = file.size === size && file.sha256 === sha256;
  if (!isSame || (file.original_name !== originalName && file.original_name !== ''))
    throw new Failure('UPLOAD_KEY_REUSED');
  if (file.deleted_at !== null) throw new Failure('UPLOAD_DELETED_SINCE');
  if (promisedSha1 !== null)
    compareDigest('sha_1', promisedSha1, await sha1.of({ blobId: file.blob_id, size, sha256 }));
  return file;
}
