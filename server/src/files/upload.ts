import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobCache } from '../delivery/blob-cache.ts';
import { type BlobId, StorageFull } from '../engines/blobs/blobs.ts';
import { isDatabaseFull, type Transaction } from '../engines/database/database.ts';
import type { AccountRow, FileRow } from '../engines/database/schema.ts';
import { searchTextOf } from '../lib/search-text.ts';
import type { Part } from '../http/multipart.ts';
import { newRowId, timeOfRowId } from '../lib/row-id.ts';
import { linkOf } from './links.ts';
import { mendBlob } from './mend-blob.ts';
import { nameCandidates } from './names.ts';
import { type Received, receiveForm } from './receive-form.ts';
import { scanUpload } from './scan-upload.ts';
import { shareBlob, type SharedBlob } from './share-blob.ts';
import { takeRoom } from './take-room.ts';

export interface Uploaded {
  /** Its public link. */
  readonly url: string;
  /** Whether the link works only once the bytes are scanned. */
  readonly isPendingScan: boolean;
}

/**
 * Stores the file of a form. When it resolves, bytes and row survive the loss of power; when it rejects, nothing is left
 * behind.
 * @throws {Failure} an UPLOAD_… code, AUTH_INVALID_KEY or AUTH_REQUIRED.
 */
export async function upload(
  context: Context,
  cache: Forgetful,
  caller: Caller,
  parts: AsyncIterable<Part>,
): Promise<Uploaded> {
  const received = await receiveForm(context, caller.account, parts);
  const file = await keep(context, cache, caller, received);
  return { url: linkOf(context, caller.account, file), isPendingScan: file.pendingScan === 1 };
}

type Forgetful = Pick<BlobCache, 'forget'>;

/** The row comes last, so no row ever points at missing bytes. */
async function keep(
  context: Context,
  cache: Forgetful,
  caller: Caller,
  received: Received,
): Promise<Pick<FileRow, 'name' | 'extension'> & SharedBlob> {
  let committing = false;
  let movedTo: BlobId | null = null;
  try {
    const scanned = await scanUpload(context, cache, received);
    const file = await context.db.transaction().execute(async (tx) => {
      // A transaction that met another one runs again: nothing of it is committing then, and the bytes may have been moved
      // to a blob that the purge has taken since.
      committing = false;
      const now = context.clock.now();
      const evicted = await takeRoom(tx, caller, received, now);
      const shared = await shareBlob(tx, received, scanned, now);
      const isShared = shared.blobId !== received.blobId;
      if (isShared && (await mendBlob(context, cache, shared.blobId, received))) movedTo = shared.blobId;
      else if (!isShared && movedTo !== null) await context.blobs.replace(movedTo, received.blobId);
      const name = await insertFile(tx, caller.account, received, shared, now);
      committing = true;
      return { name, extension: received.extension, ...shared, evicted, isShared };
    });
    context.tally.uploads += 1;
    context.tally.uploadedBytes += received.size;
    cache.forget(file.evicted);
    if (file.isShared) await removeSpare(context, received.blobId);
    return file;
  } catch (error) {
    // A commit whose outcome is unknown may have made the row: then the bytes stay, and the sweep finds out.
    if (!committing) await context.blobs.remove(received.blobId);
    throw isDatabaseFull(error) || error instanceof StorageFull
      ? new Failure('UPLOAD_STORAGE_FULL', undefined, { cause: error })
      : error;
  }
}

async function insertFile(
  tx: Transaction,
  account: AccountRow,
  received: Received,
  { blobId, pendingScan }: SharedBlob,
  now: number,
): Promise<string> {
  const id = await newFileId(tx, account, now);
  for (const name of nameCandidates(account.preferred_filename_length)) {
    const inserted = await tx
      .insertInto('files')
      .values({
        id,
        account_id: account.id,
        name,
        original_name: received.originalName,
        search_text: searchTextOf(name, received.originalName),
        extension: received.extension,
        size: received.size,
        sha256: received.sha256,
        blob_id: blobId,
        uploaded_at: now,
        pending_scan: pendingScan,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst();
    if (inserted) return inserted.name;
  }
  throw new Error('unreachable: there is always a longer name');
}

/**
 * An id later than that of every live file of the account: Continuous Uploading deletes in the order of the ids, and a
 * clock that was set back must not make the newest file the oldest. The transaction holds the account's row.
 */
async function newFileId(tx: Transaction, { id: accountId }: AccountRow, now: number): Promise<string> {
  const newest = await tx
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newRowId(newest ? Math.max(now, timeOfRowId(newest.id) + 1) : now);
}

/** The upload is done: a failure to tidy up is no reason to say that it failed. */
async function removeSpare({ blobs, log }: Context, id: BlobId): Promise<void> {
  await blobs.remove(id).catch((error: unknown) => log.warn({ err: error, blob: id }, 'spare bytes were left behind'));
}
