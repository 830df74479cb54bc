import { filenameLength } from '@holdfast/contract/src/limits.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import { DatabaseUnavailable, type Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { prepared } from '../engines/database/prepared.ts';
import { waitForRows } from '../engines/database/wait-for-rows.ts';
import type { AccountRow, FileRow } from '../engines/database/schema.ts';
import { searchTextOf } from '../lib/search-text.ts';
import type { Part } from '../http/multipart.ts';
import { randomText } from '../lib/random-text.ts';
import { newRowId, timeOfRowId } from '../lib/row-id.ts';
import { forgetRemoved } from '../files/forget-removed.ts';
import { linkOf } from '../files/links.ts';
import { holdAccount, openEarlyRefusal, openLengthRefusal, reserveForUpload } from './upload-limits.ts';
import { type Received, receiveForm, storeNothing } from './receive-form.ts';
import { scanUpload } from './scan-upload.ts';
import { openUploadBlob, type SharedBlob, type UploadBlob } from './upload-blob.ts';
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
    ? await repeatUpload(context, caller, stored, await receiveForm(storeNothing, openLengthRefusal(stored), parts))
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
  const blob = openUploadBlob(context, memory);
  const refusal = openEarlyRefusal(context, caller.account, key);
  const received = await blob.receive((storeBytes) => receiveForm(storeBytes, refusal, parts));
  // A try waits for others only after its bytes have arrived, because an earlier try may have stalled.
  const { file, stored } = await inTurn(context, key, () =>
    blob.settle(() => keep(context, memory, caller, key, blob, received)),
  );
  return stored ? repeatUpload(context, caller, stored, received) : file;
}

type Kept = { readonly file: Stored; readonly stored: null } | { readonly file: null; readonly stored: StoredUpload };

type Committing = Kept & { readonly id: string };

/** Inserts the row last, so that no row ever points at missing bytes. */
async function keep(
  context: Context,
  memory: BlobMemory,
  caller: Caller,
  key: UploadKey | null,
  blob: UploadBlob,
  received: Received,
): Promise<Kept> {
  const before = key === null ? undefined : await findStoredUpload(context, key);
  if (before) return { file: null, stored: before };
  const scanned = await scanUpload(context, memory, received);
  const insert = async (tx: Transaction, evicted: Set<BlobId>): Promise<Committing> => {
    // A transaction runs again after a conflict. At that point nothing of it is committing.
    blob.committing = null;
    await waitForRows(tx);
    const now = context.clock.now();
    const account = await holdAccount(tx, caller, now);
    const id = await newFileId(tx, account, now);
    const stored = key === null ? null : await takeUploadKey(tx, key, id, now);
    if (stored) return { id, file: null, stored };
    for (const blobId of await reserveForUpload(tx, account, received, now)) evicted.add(blobId);
    const shared = await blob.share(tx, received, scanned, now);
    const name = await insertFile(tx, { id, account: caller.account, received, shared, now });
    blob.committing = shared.blobId;
    const file: Stored = { name, extension: received.extension, pending_scan: shared.pendingScan };
    return { id, file, stored };
  };
  const kept = await commitOnce(context, memory, caller, blob, insert);
  if (kept.stored) return kept;
  context.tally.uploads += 1;
  context.tally.uploadedBytes += received.size;
  return kept;
}

/**
 * Commits, and finds out what became of a commit whose response was lost: a client that is told to try again would
 * store the file twice.
 */
async function commitOnce(
  context: Context,
  memory: BlobMemory,
  { account }: Caller,
  blob: UploadBlob,
  insert: (tx: Transaction, evicted: Set<BlobId>) => Promise<Committing>,
): Promise<Committing> {
  const inserted: Committing[] = [];
  try {
    return await forgetRemoved(context, memory, async (tx, evicted) => {
      const row = await insert(tx, evicted);
      inserted.push(row);
      return row;
    });
  } catch (error) {
    const last = inserted.at(-1);
    if (!(error instanceof DatabaseUnavailable) || !last || blob.committing === null) throw error;
    if (await isStored(context, account.id, last.id)) return last;
    // Now it is known that no row points at the bytes.
    blob.committing = null;
    throw error;
  }
}

/** Returns whether the transaction that inserted this file was committed. It may still be running. */
function isStored({ db }: Context, accountId: string, fileId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await waitForRows(tx);
    // That transaction holds this lock until it ends.
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    return (await tx.selectFrom('files').select('id').where('id', '=', fileId).executeTakeFirst()) !== undefined;
  });
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
      .modifyEnd(prepared)
      .executeTakeFirst();
    if (inserted) return inserted.name;
  }
  throw new Error('unreachable: there is always a longer name');
}

const triesAtOneLength = 4;

/**
 * Generates candidate names for a new file, each as long as the owner wants. After every four collisions the name grows
 * by one character, so that an upload does not fail when a short length is nearly used up.
 */
function* nameCandidates(preferredLength: number): Generator<string> {
  const wanted = preferredLength >= filenameLength.min ? preferredLength : filenameLength.default;
  for (let length = wanted; ; length += 1) {
    for (let tries = 0; tries < triesAtOneLength; tries += 1) yield randomText(length);
  }
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
    .modifyEnd(prepared)
    .executeTakeFirst();
  return newRowId(newest ? Math.max(now, timeOfRowId(newest.id) + 1) : now);
}
