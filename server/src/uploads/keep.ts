import { Failure } from '@holdfast/contract/src/errors.ts';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import type { Caller } from '../accounts/identify.ts';
import { preferredOrigin } from '../accounts/settings.ts';
import type { Context } from '../context.ts';
import { type BlobId, BlobMissing } from '../storage/blobs/blobs.ts';
import { isDatabaseFull } from '../storage/db/database.ts';
import type { Part } from '../http/multipart.ts';
import { processCounts } from '../lib/process-counts.ts';
import { acceptRepeated, findFileOfKey, readRepeated } from './idempotency-key.ts';
import { AccountChanged, type Inserted, insertUpload, type NewUpload, type Stored, StoredBefore } from './insert.ts';
import { compareDigest, receive, type Received, removeBytes, storageFailure } from './receive.ts';
import { type Scanned, scanUpload } from './scan-upload.ts';

interface UploadHeaders {
  readonly key?: string | null;
  readonly formBytes?: number | null;
}

/**
 * When it resolves, bytes and row survive a power loss; when it rejects, nothing is left behind, unless it is unknown
 * whether the row was committed.
 */
export async function upload(
  context: Context,
  caller: Caller,
  parts: AsyncIterable<Part>,
  { key = null, formBytes = null }: UploadHeaders = {},
): Promise<{ url: string; isPendingScan: boolean }> {
  const stored = key === null ? undefined : await findFileOfKey(context.db, key);
  const file = stored
    ? await acceptRepeated(context, caller, stored, await readRepeated(parts, stored))
    : await store(context, caller, parts, { key, formBytes });
  return { url: linkOf(context, caller, file), isPendingScan: file.pending_scan === 1 };
}

function linkOf(context: Context, { account }: Caller, { name, extension }: Stored): string {
  const suffix = account.return_file_extension === 1 && extension !== '' ? `.${extension}` : '';
  return preferredOrigin(context, account) + fileRoot + name + suffix;
}

async function store(
  context: Context,
  caller: Caller,
  parts: AsyncIterable<Part>,
  { key, formBytes }: Required<UploadHeaders>,
): Promise<Stored> {
  const received = await receive(context, caller.account, parts, formBytes);
  try {
    const scanned = await check(context, received);
    const { file, blobId } = await commit(context, { caller, key, received, scanned });
    processCounts.uploads += 1;
    processCounts.uploadedBytes += received.size;
    if (blobId !== received.blobId) await useStoredBytes(context, blobId, received);
    if (received.promisedSha1 !== null) await context.blobs.sha1.store(received.sha256, received.promisedSha1);
    return file;
  } catch (error) {
    if (error instanceof StoredBefore) return acceptRepeated(context, caller, error.file, received);
    throw isDatabaseFull(error) ? new Failure('UPLOAD_STORAGE_FULL', undefined, { cause: error }) : error;
  }
}

async function check(context: Context, received: Received): Promise<Scanned> {
  try {
    if (received.promisedSha1 !== null)
      compareDigest('sha_1', received.promisedSha1, await context.blobs.sha1.ofUpload(received));
    return await scanUpload(context, received);
  } catch (error) {
    await removeBytes(context, received.blobId);
    throw error;
  }
}

/** The row comes last, so that none ever points at missing bytes. */
async function commit(context: Context, newUpload: NewUpload): Promise<Inserted> {
  const { blobId } = newUpload.received;
  let committing: Inserted | null = null;
  const insert = (reads: boolean) =>
    context.db.transaction().execute(async (tx) => {
      committing = null;
      return (committing = await insertUpload(context, tx, newUpload, { reads }));
    });
  try {
    return await insert(false).catch((error: unknown) => {
      if (error instanceof AccountChanged) return insert(true);
      throw error;
    });
  } catch (error) {
    // After a commit without an answer a row may point at them: then they are left to the sweep.
    if ((committing as Inserted | null)?.blobId !== blobId || isDatabaseFull(error)) await removeBytes(context, blobId);
    throw error;
  }
}

/** The received bytes are removed, or replace equal ones that are missing or of the wrong size. */
async function useStoredBytes(
  { blobs, log }: Pick<Context, 'blobs' | 'log'>,
  blobId: BlobId,
  { blobId: from, size }: Received,
): Promise<void> {
  try {
    const stored = await blobs.size(blobId).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
    if (stored === size) return await removeBytes({ blobs, log }, from);
    await blobs.replace(from, blobId);
    log.error(
      { blob: blobId, stored, size },
      'ALARM: stored bytes were lost; an upload of the same bytes has repaired them',
    );
  } catch (error) {
    throw storageFailure(error);
  }
}
