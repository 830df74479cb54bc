import { filenameLength } from '@holdfast/contract/src/limits.ts';
import type { Caller } from '../accounts/identify.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import { prepared } from '../engines/database/prepared.ts';
import type { Context } from '../context.ts';
import type { AccountRow, FileRow, Flag } from '../engines/database/schema.ts';
import { rowsOf, runTogether, statement } from '../engines/database/statement.ts';
import { waitForRows, waitingForRows } from '../engines/database/wait-for-rows.ts';
import { randomText } from '../lib/random-text.ts';
import { newRowId, nextRowId, timeOfRowId } from '../lib/row-id.ts';
import { searchTextOf } from '../lib/search-text.ts';
import { refuseIfBlocked } from '../moderation/blocklist.ts';
import { type StoredUpload, takeUploadKey, takingUploadKey, type UploadKey } from './idempotency-key.ts';
import type { Received } from './receive-form.ts';
import type { Scanned } from './scan-upload.ts';
import type { UploadBlob } from './upload-blob.ts';
import { holdAccount, holdAndReserve, reserveForUpload } from './upload-limits.ts';

export type Stored = Pick<FileRow, 'name' | 'extension' | 'pending_scan'>;

/** The new file, or the one that an earlier try of the same upload has stored. */
export type Kept =
  | { readonly file: Stored; readonly stored: null }
  | { readonly file: null; readonly stored: StoredUpload };

export type Inserted = Kept & {
  readonly id: string;
  /** That of the new row; null if an earlier try has stored the file. */
  readonly blobId: BlobId | null;
};

export interface NewUpload {
  readonly caller: Caller;
  readonly key: UploadKey | null;
  readonly blob: UploadBlob;
  readonly received: Received;
  readonly scanned: Scanned;
  readonly now: number;
}

/**
 * The account has changed since its caller was identified, its newest file has a later id, another try of the upload was
 * faster, the name is taken, or the scan state of equal bytes decides otherwise.
 */
export class NotAsExpected extends Error {
  override readonly name = 'NotAsExpected';
}

/**
 * Inserts a file in one round trip, if the account has not changed since its caller was identified and nothing else is in
 * the way.
 * @throws {NotAsExpected} otherwise. `insertStepByStep` then finds out what holds.
 * @throws {Failure} UPLOAD_MALWARE, UPLOAD_BLOCKED.
 */
export async function insertTogether(
  context: Pick<Context, 'plans'>,
  tx: Transaction,
  upload: NewUpload,
): Promise<Inserted> {
  const { caller, key, blob, received, scanned, now } = upload;
  const { account } = caller;
  const id = nextRowId(now);
  const [name = ''] = nameCandidates(account.preferred_filename_length);
  const pendingScan: Flag = scanned.state === 'pending' ? 1 : 0;
  const [, [held], [newest], [row], [blocked], [taken], [file]] = await runTogether(tx, [
    waitingForRows(tx),
    holdAndReserve(context, tx, caller, received.size, now),
    newestId(tx, { accountId: account.id }),
    ...blob.rowStatements(tx, received, scanned, now),
    key === null ? null : takingUploadKey(tx, key, id, now),
    insertUnlessTaken(tx, rowOf({ id, account, received, pendingScan, now }, name)),
  ]);
  if (!held || !row) throw new NotAsExpected();
  refuseIfBlocked(blocked);
  if (!file || !isLater(id, newest) || (key !== null && !taken)) throw new NotAsExpected();
  const shared = await blob.share(row, received, scanned);
  if (shared.pendingScan !== pendingScan) throw new NotAsExpected();
  return { id, blobId: shared.blobId, file, stored: null };
}

/**
 * Inserts a file under the plan of this moment, and evicts others if that needs it. Their blobs are
 * added to `evicted`.
 * @throws {Failure} an UPLOAD_… code, AUTH_INVALID_KEY or AUTH_REQUIRED.
 */
export async function insertStepByStep(
  context: Pick<Context, 'plans'>,
  tx: Transaction,
  { caller, key, blob, received, scanned, now }: NewUpload,
  evicted: Set<BlobId>,
): Promise<Inserted> {
  await waitForRows(tx);
  const account = await holdAccount(tx, caller, now);
  const [newest] = await rowsOf(tx, newestId(tx, { accountId: account.id }));
  const id = idAfter(newest, now);
  const stored = key === null ? null : await takeUploadKey(tx, key, id, now);
  if (stored) return { id, blobId: null, file: null, stored };
  for (const blobId of await reserveForUpload(context, tx, account, received, now)) evicted.add(blobId);
  const [[row], [blocked]] = await runTogether(tx, blob.rowStatements(tx, received, scanned, now));
  refuseIfBlocked(blocked);
  if (!row) throw new Error('unreachable: the blob is inserted or updated');
  const { pendingScan, blobId } = await blob.share(row, received, scanned);
  const file = await insertFile(tx, { id, account: caller.account, received, pendingScan, now });
  return { id, blobId, file, stored: null };
}

interface NewFile {
  readonly id: string;
  /** As it was when the upload began: a setting changed meanwhile is for the next one. */
  readonly account: AccountRow;
  readonly received: Received;
  readonly pendingScan: Flag;
  readonly now: number;
}

async function insertFile(tx: Transaction, file: NewFile): Promise<Stored> {
  for (const name of nameCandidates(file.account.preferred_filename_length)) {
    const [inserted] = await rowsOf(tx, insertUnlessTaken(tx, rowOf(file, name)));
    if (inserted) return inserted;
  }
  throw new Error('unreachable: there is always a longer name');
}

const rowOf = ({ id, account, received, pendingScan, now }: NewFile, name: string) => ({
  id,
  account_id: account.id,
  name,
  original_name: received.originalName,
  search_text: searchTextOf(name, received.originalName),
  extension: received.extension,
  size: received.size,
  sha256: received.sha256,
  uploaded_at: now,
  pending_scan: pendingScan,
});

/** The row of the blob is inserted or locked before it. */
const insertUnlessTaken = statement((db, row: ReturnType<typeof rowOf>) =>
  db
    .insertInto('files')
    .values((eb) => ({
      id: row.id,
      account_id: row.account_id,
      name: row.name,
      original_name: row.original_name,
      search_text: row.search_text,
      extension: row.extension,
      size: row.size,
      sha256: row.sha256,
      blob_id: eb.selectFrom('blobs').select('id').where('sha256', '=', row.sha256).$castTo<{ id: BlobId }>(),
      uploaded_at: row.uploaded_at,
      pending_scan: row.pending_scan,
    }))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(['name', 'extension', 'pending_scan'])
    .modifyEnd(prepared),
);

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

/** The newest live file of an account. The transaction must hold a lock on the account's row. */
const newestId = statement((db, { accountId }: { readonly accountId: string }) =>
  db
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .modifyEnd(prepared),
);

const isLater = (id: string, newest: Pick<FileRow, 'id'> | undefined) => !newest || id > newest.id;

/**
 * Returns an id later than that of every live file of the account. Continuous Uploading evicts in the order of the ids,
 * and after a clock is set back the newest file must not become the oldest.
 */
function idAfter(newest: Pick<FileRow, 'id'> | undefined, now: number): string {
  return newRowId(newest ? Math.max(now, timeOfRowId(newest.id) + 1) : now);
}
