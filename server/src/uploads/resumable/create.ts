import { Failure } from '@holdfast/contract/src/errors.ts';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';
import { mostUnfinishedUploads } from '@holdfast/contract/src/resumable.ts';
import type { Caller } from '../../accounts/identify.ts';
import { lockUploader } from '../../accounts/lock-uploader.ts';
import { reserveQuota } from '../../accounts/quota.ts';
import { refuseMore } from '../../accounts/files-a-day.ts';
import { planOf } from '../../accounts/plan-of.ts';
import type { Context } from '../../context.ts';
import { mayEvict } from '../../files/evict.ts';
import { randomText } from '../../lib/random-text.ts';
import type { BlobId } from '../../storage/blobs/blobs.ts';
import { newBlobId } from '../../storage/blobs/blob-id.ts';
import { countRows } from '../../storage/db/batches.ts';
import type { Transaction } from '../../storage/db/database.ts';
import type { AccountRow, UploadRow } from '../../storage/db/schema.ts';
import { limitsOf, refuseSize, refuseType } from '../plan-limits.ts';
import { storageFailure } from '../receive.ts';

export interface NewUpload {
  readonly filename: string;
  readonly size: number;
  readonly sha256: string | null;
  readonly modifiedAt: number | null;
  readonly fingerprint: string | null;
}

/** Reserves its quota, unless Continuous Uploading makes room in the end. */
export async function createUpload(
  context: Context,
  caller: Caller,
  { filename, size, sha256, modifiedAt, fingerprint }: NewUpload,
): Promise<UploadRow> {
  const { db, blobs, clock } = context;
  const name = cleanOriginalName(filename);
  if (size > (await blobs.freeSpace.room())) throw new Failure('UPLOAD_STORAGE_FULL');
  const blobId = newBlobId();
  const place = size === 0 ? '' : await begin(context, blobId);
  const now = clock.now();
  const row = {
    id: randomText(32),
    account_id: caller.account.id,
    blob_id: blobId,
    place,
    stored: 0,
    size,
    original_name: name,
    sha256,
    file_name: null,
    modified_at: modifiedAt,
    fingerprint,
    created_at: now,
    changed_at: now,
  };
  try {
    return await db.transaction().execute(async (tx) => {
      const account = await lockUploader(tx, caller, now);
      const is_reserved = await reserve(context, tx, account, { name, size, now });
      return tx
        .insertInto('uploads')
        .values({ ...row, is_reserved })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (error) {
    if (size > 0) await blobs.unfinished.discard({ id: blobId, place, size: 0 }).catch(() => {});
    throw error;
  }
}

const begin = ({ blobs }: Context, id: BlobId): Promise<string> =>
  blobs.unfinished.begin(id).catch((error: unknown) => {
    throw storageFailure(error);
  });

async function reserve(
  context: Context,
  tx: Transaction,
  account: AccountRow,
  { name, size, now }: { readonly name: string; readonly size: number; readonly now: number },
): Promise<0 | 1> {
  const plan = planOf(context, account);
  refuseMore(plan, account, now);
  const unfinished = tx.selectFrom('uploads').where('account_id', '=', account.id).where('file_name', 'is', null);
  if ((await countRows(unfinished)) >= mostUnfinishedUploads)
    throw new Failure(
      'UPLOAD_QUOTA_EXCEEDED',
      `You have ${mostUnfinishedUploads} unfinished uploads. Complete or remove one of them first.`,
    );
  refuseType(plan, extensionOf(name));
  const limits = limitsOf(context, account);
  if (size <= plan.maxFileSize && size > limits.freeBytes && mayEvict(plan, account)) return 0;
  refuseSize({ plan, freeBytes: Infinity }, size);
  if (await reserveQuota(tx, account.id, plan, size)) return 1;
  throw new Failure('UPLOAD_TOO_LARGE', fullFor(limits.freeBytes));
}

const fullFor = (freeBytes: number) =>
  freeBytes < 0
    ? 'Your account has no slot left. Delete files or get a larger plan.'
    : `Your account has ${freeBytes.toLocaleString('en')} bytes left, fewer than this file has.`;
