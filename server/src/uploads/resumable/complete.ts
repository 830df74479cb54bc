import { Failure } from '@holdfast/contract/src/errors.ts';
import { extensionOf } from '@holdfast/contract/src/original-name.ts';
import type { Caller } from '../../accounts/identify.ts';
import { lockUploader } from '../../accounts/lock-uploader.ts';
import { releaseQuota } from '../../accounts/quota.ts';
import type { Context } from '../../context.ts';
import { type BlobId, BlobMissing } from '../../storage/blobs/blobs.ts';
import { CommitUnknown } from '../../storage/db/database.ts';
import type { UploadRow } from '../../storage/db/schema.ts';
import { insertUpload, type Inserted } from '../insert.ts';
import { check, settle } from '../keep.ts';
import { compareDigest, type Received, storageFailure } from '../receive.ts';
import { checkEqualBytes } from '../replace-lost-bytes.ts';
import type { Scanned } from '../scan-upload.ts';
import { removeUpload } from './remove.ts';

/**
 * Gives an upload whose bytes have all arrived its file. It may be repeated until it is refused: then nothing of the
 * upload is left.
 */
export async function completeUpload(context: Context, caller: Caller, row: UploadRow): Promise<Inserted> {
  try {
    const { sha256 } = await finish(context, row);
    compareDigest('sha_256', row.sha256, sha256);
    const { original_name: originalName, size, blob_id: blobId } = row;
    const received = {
      originalName,
      extension: extensionOf(originalName),
      promisedSha1: null,
      size,
      sha256,
      blobId,
    };
    const scanned = await check(context, received);
    const inserted = await checkEqualBytes(context, received, (shared) =>
      insert(context, caller, row, { received, scanned }, shared),
    );
    await settle(context, received, inserted);
    return inserted;
  } catch (error) {
    if (isFinal(error)) await removeUpload(context, row);
    throw storageFailure(error);
  }
}

async function finish({ blobs }: Context, { blob_id: id, place, size }: UploadRow) {
  if (size === 0) return blobs.write(id, { read: async () => 0 });
  return blobs.unfinished.finish({ id, place, size, total: size }).catch((error: unknown) => {
    throw error instanceof BlobMissing ? new Failure('UPLOAD_UNKNOWN', undefined, { cause: error }) : error;
  });
}

const insert = (
  context: Context,
  caller: Caller,
  row: UploadRow,
  { received, scanned }: { readonly received: Received; readonly scanned: Scanned },
  blobId: BlobId,
): Promise<Inserted> =>
  context.db.transaction().execute(async (tx) => {
    await lockUploader(tx, caller, context.clock.now());
    const own = tx.selectFrom('uploads').selectAll().where('id', '=', row.id).where('file_name', 'is', null);
    const open = await own.executeTakeFirst();
    if (!open) throw new Failure('UPLOAD_UNKNOWN');
    if (open.is_reserved === 1) await releaseQuota(tx, row.account_id, [row]);
    const inserted = await insertUpload(context, tx, { caller, key: null, received, scanned }, { reads: true, blobId });
    const done = { file_name: inserted.file.name, is_reserved: 0, stored: row.size } as const;
    await tx.updateTable('uploads').set(done).where('id', '=', row.id).execute();
    return inserted;
  });

/** No later try of the same bytes can succeed. */
function isFinal(error: unknown): boolean {
  if (error instanceof CommitUnknown || !(error instanceof Failure)) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429;
}
