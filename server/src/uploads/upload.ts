import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import { type BlobId, StorageFull } from '../engines/blobs/blobs.ts';
import { isDatabaseFull, type Transaction } from '../engines/database/database.ts';
import type { AccountRow, FileRow } from '../engines/database/schema.ts';
import { searchTextOf } from '../lib/search-text.ts';
import type { Part } from '../http/multipart.ts';
import { newRowId, timeOfRowId } from '../lib/row-id.ts';
import { linkOf } from '../files/links.ts';
import { mendBlob } from './mend-blob.ts';
import { nameCandidates } from './names.ts';
import { holdAccount, openEarlyRefusal, openLengthRefusal, reserveForUpload } from './early-refusal.ts';
import { nowhere, type Received, receiveForm } from './receive-form.ts';
import { scanUpload } from './scan-upload.ts';
import { shareBlob, type SharedBlob } from './share-blob.ts';
import { findStoredUpload, inTurn, type StoredUpload, takeUploadKey, type UploadKey } from './idempotency-key.ts';
import { repeatUpload } from './repeat-upload.ts';

export interface Uploaded {
  /** The public link. */
  readonly url: string;
  /** True if the link works only after the bytes are scanned. */
  readonly isPendingScan: boolean;
}

/**
 * Stores the file of a form, or returns the upload that an earlier try has stored. When it resolves, bytes and row
 * survive a power loss; when it rejects, nothing is left behind.
 * @throws {Failure} an UPLOAD_… code, AUTH_INVALID_KEY or AUTH_REQUIRED.
 */
export async function upload(
  context: Context,
  memory: BlobMemory,
  caller: Caller,
  parts: AsyncIterable<Part>,
  key: UploadKey | null = null,
): Promise<Uploaded> {
  const stored = key === null ? undefined : await findStoredUpload(context, key);
  const file = stored
    ? await repeatUpload(context, caller, stored, await receiveForm(nowhere, openLengthRefusal(stored), parts))
    : await store(context, memory, caller, parts, key);
  return { url: linkOf(context, caller.account, file), isPendingScan: file.pending_scan === 1 };
}

type Stored = Pick<FileRow, 'name' | 'extension' | 'pending_scan'>;

async function store(
  context: Context,
  memory: BlobMemory,
  caller: Caller,
  parts: AsyncIterable<Part>,
  key: UploadKey | null,
): Promise<Stored> {
  const received = await receiveForm(context.blobs, openEarlyRefusal(context, caller.account, key), parts);
  // A try waits for others only after its bytes have arrived, because an earlier try may have stalled.
  const { file, stored } = await inTurn(context, key, () => keep(context, memory, caller, received, key));
  return stored ? repeatUpload(context, caller, stored, received) : file;
}

type Kept = { readonly file: Stored; readonly stored: null } | { readonly file: null; readonly stored: StoredUpload };

/** Inserts the row last, so that no row ever points at missing bytes. */
async function keep(
  context: Context,
  memory: BlobMemory,
  caller: Caller,
  received: Received,
  key: UploadKey | null,
): Promise<Kept> {
  let committing = false;
  let movedTo: BlobId | null = null;
  try {
    const before = key === null ? undefined : await findStoredUpload(context, key);
    if (before) return await yieldTo(context, before, received);
    const scanned = await scanUpload(context, memory, received);
    const kept = await context.db.transaction().execute(async (tx) => {
      // A transaction runs again after a conflict. At that point nothing of it is committing, and the bytes may have
      // been moved to a blob that the purge has taken since.
      committing = false;
      const now = context.clock.now();
      const account = await holdAccount(tx, caller, now);
      const id = await newFileId(tx, account, now);
      const stored = key === null ? null : await takeUploadKey(tx, key, id, now);
      if (stored) return { file: null, stored };
      const evicted = await reserveForUpload(tx, account, received, now);
      const shared = await shareBlob(tx, received, scanned, now);
      const isShared = shared.blobId !== received.blobId;
      if (isShared && (await mendBlob(context, memory, shared.blobId, received))) movedTo = shared.blobId;
      else if (!isShared && movedTo !== null) await context.blobs.replace(movedTo, received.blobId);
      const name = await insertFile(tx, { id, account: caller.account, received, shared, now });
      committing = true;
      const file: Stored = { name, extension: received.extension, pending_scan: shared.pendingScan };
      return { file, stored, evicted, isShared };
    });
    if (kept.stored) return await yieldTo(context, kept.stored, received);
    context.tally.uploads += 1;
    context.tally.uploadedBytes += received.size;
    memory.forget(kept.evicted);
    if (kept.isShared) await removeSpare(context, received.blobId);
    return kept;
  } catch (error) {
    // If the outcome of a commit is unknown, the row may exist. The bytes are then kept, and the sweep decides.
    if (!committing) await context.blobs.remove(received.blobId);
    throw isDatabaseFull(error) || error instanceof StorageFull
      ? new Failure('UPLOAD_STORAGE_FULL', undefined, { cause: error })
      : error;
  }
}

/** Another try has stored the file, so the bytes of this one are not needed. */
async function yieldTo(context: Context, stored: StoredUpload, { blobId }: Received): Promise<Kept> {
  await removeSpare(context, blobId);
  return { file: null, stored };
}

interface NewFile {
  readonly id: string;
  readonly account: AccountRow;
  readonly received: Received;
  readonly shared: SharedBlob;
  readonly now: number;
}

async function insertFile(tx: Transaction, { id, account, received, shared, now }: NewFile): Promise<string> {
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
        blob_id: shared.blobId,
        uploaded_at: now,
        pending_scan: shared.pendingScan,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst();
    if (inserted) return inserted.name;
  }
  throw new Error('unreachable: there is always a longer name');
}

/**
 * Returns an id later than that of every live file of the account. Continuous Uploading evicts in the order of the ids,
 * and after a clock is set back the newest file must not become the oldest. The transaction must hold a lock on the
 * account's row.
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

/** The upload is complete, so a failed cleanup must not make it fail. */
async function removeSpare({ blobs, log }: Context, id: BlobId): Promise<void> {
  await blobs
    .remove(id)
    .catch((error: unknown) => log.warn({ err: error, blob: id }, 'unneeded bytes could not be removed'));
}
