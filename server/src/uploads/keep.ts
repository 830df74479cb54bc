import type { Evicted } from '@holdfast/contract/src/activity.ts';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { refuseMore } from '../accounts/files-a-day.ts';
import type { Caller } from '../accounts/identify.ts';
import { planOf } from '../accounts/plan-of.ts';
import { preferredOrigin } from '../accounts/settings.ts';
import type { Context } from '../context.ts';
import { CommitUnknown } from '../storage/db/database.ts';
import type { Part } from '../http/multipart.ts';
import { processCounts } from '../lib/process-counts.ts';
import { acceptRepeated, findFileOfKey, readRepeated } from './idempotency-key.ts';
import { AccountChanged, type Inserted, insertUpload, type Stored, StoredBefore } from './insert.ts';
import { compareDigest, type Received, receive, removeBytes, storageFailure } from './receive.ts';
import { checkEqualBytes, keepReadable } from './replace-lost-bytes.ts';
import { type Scanned, scanUpload } from './scan-upload.ts';
import { insertTogether } from './share-transactions.ts';

interface UploadOutcome {
  readonly name: string;
  readonly url: string;
  readonly isPendingScan: boolean;
  readonly evicted: Evicted | undefined;
}

interface UploadOptions {
  readonly key?: string | null;
  readonly formBytes?: number | null;
  readonly gone?: AbortSignal;
}

/**
 * When it resolves, bytes and row survive a power loss; when it rejects, nothing is left behind, unless it is unknown
 * whether the row was committed.
 */
export async function upload(
  context: Context,
  caller: Caller,
  parts: AsyncIterable<Part>,
  { key = null, ...options }: UploadOptions = {},
): Promise<UploadOutcome> {
  const stored = key === null ? undefined : await findFileOfKey(context.db, key);
  const { file, evicted } = stored
    ? { file: await acceptRepeated(context, caller, stored, await readRepeated(parts, stored)) }
    : await store(context, caller, parts, { key, ...options });
  return {
    name: file.name,
    url: linkOf(context, caller, file),
    isPendingScan: file.pending_scan === 1,
    evicted,
  };
}

export function linkOf(context: Context, { account }: Caller, { name, extension }: Stored): string {
  const suffix = account.return_file_extension === 1 && extension !== '' ? `.${extension}` : '';
  return preferredOrigin(context, account) + fileRoot + name + suffix;
}

async function store(
  context: Context,
  caller: Caller,
  parts: AsyncIterable<Part>,
  { key, ...options }: UploadOptions & { readonly key: string | null },
): Promise<{ readonly file: Stored; readonly evicted?: Evicted | undefined }> {
  refuseMore(planOf(context, caller.account), caller.account, context.clock.now());
  const received = await receive(context, caller.account, parts, options);
  const { sha256 } = received;
  const insert = (scanned: Scanned, reads: boolean) =>
    checkEqualBytes(context, received, (blobId) =>
      insertTogether(context.db, caller.account.id, sha256, (tx) =>
        insertUpload(context, tx, { caller, key, received, scanned }, { reads, blobId }),
      ),
    );
  const checkAndInsert = async () => {
    const scanned = await check(context, received);
    return insert(scanned, false).catch((error: unknown) => {
      if (error instanceof AccountChanged) return insert(scanned, true);
      throw error;
    });
  };
  try {
    const inserted = await checkAndInsert().catch(async (error: unknown) => {
      // After a commit without an answer there may be a row: its bytes are left to the sweep.
      if (!(error instanceof CommitUnknown)) await removeBytes(context, received.blobId);
      throw error;
    });
    await settle(context, received, inserted);
    return inserted;
  } catch (error) {
    if (error instanceof StoredBefore) return { file: await acceptRepeated(context, caller, error.file, received) };
    throw storageFailure(error);
  }
}

export async function check(context: Context, received: Received): Promise<Scanned> {
  if (received.promisedSha1 !== null)
    compareDigest('sha_1', received.promisedSha1, await context.blobs.sha1.ofUpload(received));
  return scanUpload(context, received);
}

/** What a committed upload leaves to do. */
export async function settle(context: Context, received: Received, { blobId }: Inserted): Promise<void> {
  processCounts.uploads += 1;
  processCounts.uploadedBytes += received.size;
  if (blobId !== received.blobId) await keepReadable(context, blobId, received);
  if (received.promisedSha1 !== null) await context.blobs.sha1.store(received.sha256, received.promisedSha1);
}
