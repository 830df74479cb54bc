import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import { DatabaseUnavailable, isDatabaseFull, type Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { waitForRows } from '../engines/database/wait-for-rows.ts';
import type { Part } from '../http/multipart.ts';
import { forgetRemoved } from '../files/forget-removed.ts';
import { linkOf } from '../files/links.ts';
import {
  type Inserted,
  insertStepByStep,
  insertTogether,
  type Kept,
  type NewUpload,
  NotAsExpected,
  type Stored,
} from './insert-file.ts';
import { openEarlyRefusal, openLengthRefusal, seemsToFit } from './upload-limits.ts';
import { compareDigest, type Received, receiveForm, storeNothing } from './receive-form.ts';
import { scanUpload } from './scan-upload.ts';
import { openUploadBlob, type UploadBlob } from './upload-blob.ts';
import { findStoredUpload, inTurn, type UploadKey } from './idempotency-key.ts';
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
  // Only after all bytes are stored, so that an upload without this field does not pay for it.
  if (received.promisedSha1 !== null)
    compareDigest('sha_1', received.promisedSha1, await context.sha1.ofUpload(received));
  const scanned = await scanUpload(context, memory, received);
  const commit = (insert: Insert) =>
    commitOnce(context, memory, caller, blob, async (tx, evicted) => {
      // A transaction runs again after a conflict. At that point nothing of it is committing.
      blob.committing = null;
      const now = context.clock.now();
      const inserted = await insert(context, tx, { caller, key, blob, received, scanned, now }, evicted);
      blob.committing = inserted.blobId;
      return inserted;
    });
  const kept = seemsToFit(context, caller.account, received)
    ? await commit(insertTogether).catch((error: unknown) => {
        if (error instanceof NotAsExpected) return commit(insertStepByStep);
        throw error;
      })
    : await commit(insertStepByStep);
  if (kept.stored) return kept;
  context.tally.uploads += 1;
  context.tally.uploadedBytes += received.size;
  if (received.promisedSha1 !== null) await context.sha1.store(received.sha256, received.promisedSha1);
  return kept;
}

type Insert = (
  context: Pick<Context, 'plans'>,
  tx: Transaction,
  upload: NewUpload,
  evicted: Set<BlobId>,
) => Promise<Inserted>;

/**
 * Commits, and finds out what became of a commit whose response was lost: a client that is told to try again would
 * store the file twice.
 */
async function commitOnce(
  context: Context,
  memory: BlobMemory,
  { account }: Caller,
  blob: UploadBlob,
  insert: (tx: Transaction, evicted: Set<BlobId>) => Promise<Inserted>,
): Promise<Inserted> {
  const inserted: Inserted[] = [];
  try {
    return await forgetRemoved(context, memory, async (tx, evicted) => {
      const row = await insert(tx, evicted);
      inserted.push(row);
      return row;
    });
  } catch (error) {
    // A transaction that finds the disk full is rolled back as a whole, so no row points at the bytes.
    if (isDatabaseFull(error)) blob.committing = null;
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
