import type { Evicted } from '@holdfast/contract/src/activity.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Caller } from '../accounts/identify.ts';
import { lockAndReserve, lockUploader } from '../accounts/lock-uploader.ts';
import { planOf } from '../accounts/plan-of.ts';
import type { Context } from '../context.ts';
import { type BlobId, StorageReplaced } from '../storage/blobs/blobs.ts';
import type { Transaction } from '../storage/db/database.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { FileRow, Schema } from '../storage/db/schema.ts';
import { rowsOf, runTogether, statement } from '../storage/db/statement.ts';
import { randomText } from '../lib/random-text.ts';
import { nextRowId } from '../lib/row-id.ts';
import { searchTextOf } from '../lib/search-text.ts';
import { blockedDigest, refuseIfBlocked } from '../moderation/blocklist.ts';
import { findFileOfKey } from './idempotency-key.ts';
import { reserveForUpload } from './plan-limits.ts';
import type { Received } from './receive.ts';
import { OtherBlob } from './replace-lost-bytes.ts';
import type { Scanned } from './scan-upload.ts';

export type Stored = Pick<FileRow, 'name' | 'extension' | 'pending_scan'>;

export interface NewUpload {
  readonly caller: Caller;
  readonly key: string | null;
  readonly received: Received;
  readonly scanned: Scanned;
}

export interface Inserted {
  readonly file: Stored;
  /** The blob that has the file's bytes: that of the upload, or an older one of equal bytes. */
  readonly blobId: BlobId;
  readonly evicted: Evicted | undefined;
}

/** The account has another plan than when its caller was identified, or too little free quota. */
export class AccountChanged extends Error {
  override readonly name = 'AccountChanged';
}

export class StoredBefore extends Error {
  override readonly name = 'StoredBefore';
  readonly file: FileRow;

  constructor(file: FileRow) {
    super('The upload is stored already');
    this.file = file;
  }
}

/**
 * One round trip, unless `reads` says that the account must be read and files may have to be evicted first.
 * @throws {AccountChanged} unless `reads`.
 * @throws {OtherBlob} unless the bytes are those of `blobId`: the storage may be slow, and here are locks.
 */
export async function insertUpload(
  context: Pick<Context, 'blobs' | 'clock' | 'config'>,
  tx: Transaction,
  upload: NewUpload,
  { reads, blobId }: { readonly reads: boolean; readonly blobId: BlobId },
): Promise<Inserted> {
  const { caller, key, received, scanned } = upload;
  const { account } = caller;
  const now = context.clock.now();
  const evicted = reads ? await makeRoom(context, tx, upload, now) : undefined;
  const names = linkNames(account.preferred_filename_length);
  const row = rowOf(upload, names.next().value ?? '', now);
  const blob = { id: received.blobId, sha256: received.sha256, size: received.size, now, scannedAt: scanned.at };
  // All transactions lock the account's row first, then that of the blob.
  const [[reserved], [shared], [blocked], [inserted]] = await runTogether(tx, [
    reads ? null : lockAndReserve(tx, caller, planOf(context, account), received.size, now),
    addOrShare[scanned.state](tx, blob),
    blockedDigest(tx, received),
    insertUnlessTaken(tx, row),
  ]);
  if (!reads && !reserved) throw new AccountChanged();
  refuseIfBlocked(blocked);
  if (!shared) throw new Error('unreachable: the blob is inserted or updated');
  if (shared.id !== blobId) throw new OtherBlob(shared.id);
  const file = inserted ?? (await insertUnderOtherName(tx, row, names, key));
  if (!context.blobs.holds(shared.id, received.size)) throw new StorageReplaced();
  return { file, blobId: shared.id, evicted };
}

async function makeRoom(
  context: Pick<Context, 'config'>,
  tx: Transaction,
  { caller, key, received }: NewUpload,
  now: number,
): Promise<Evicted | undefined> {
  const account = await lockUploader(tx, caller, now);
  await throwIfStored(tx, key);
  return reserveForUpload(context, tx, account, received, now);
}

async function throwIfStored(tx: Transaction, key: string | null): Promise<void> {
  const stored = key === null ? undefined : await findFileOfKey(tx, key);
  if (stored) throw new StoredBefore(stored);
}

async function insertUnderOtherName(
  tx: Transaction,
  row: NewRow,
  names: Iterable<string>,
  key: string | null,
): Promise<Stored> {
  await throwIfStored(tx, key);
  for (const name of names) {
    const [inserted] = await rowsOf(tx, insertUnlessTaken(tx, { ...row, name }));
    if (inserted) return inserted;
  }
  throw new Error('unreachable: there is always a longer name');
}

const triesAtOneLength = 4;
const longerNames = 8;

/** After every four collisions the name grows by one. */
function* linkNames(length: number): Generator<string, undefined> {
  for (let at = 0; at < longerNames * triesAtOneLength; at += 1)
    yield randomText(length + Math.floor(at / triesAtOneLength));
}

const rowOf = ({ caller, key, received, scanned }: NewUpload, name: string, now: number) => ({
  id: nextRowId(now),
  account_id: caller.account.id,
  name,
  original_name: received.originalName,
  search_text: searchTextOf(name, received.originalName),
  extension: received.extension,
  size: received.size,
  sha256: received.sha256,
  uploaded_at: now,
  pending: scanned.state === 'pending' ? 1 : 0,
  upload_key: key,
});
type NewRow = ReturnType<typeof rowOf>;

/** Inserts nothing if the name was used, or the key is taken. */
const insertUnlessTaken = statement((db, row: NewRow) => {
  const blob = db.selectFrom('blobs').where('sha256', '=', row.sha256);
  const used = db.selectFrom('used_names').select('name').where('name', '=', row.name);
  return db
    .insertInto('files')
    .columns([
      'id',
      'account_id',
      'name',
      'original_name',
      'search_text',
      'extension',
      'size',
      'sha256',
      'blob_id',
      'uploaded_at',
      'pending_scan',
      'upload_key',
    ])
    .expression(
      db
        .selectNoFrom((eb) => [
          eb.val(row.id).as('id'),
          eb.val(row.account_id).as('account_id'),
          eb.val(row.name).as('name'),
          eb.val(row.original_name).as('original_name'),
          eb.val(row.search_text).as('search_text'),
          eb.val(row.extension).as('extension'),
          eb.val(row.size).as('size'),
          eb.val(row.sha256).as('sha256'),
          blob.select('id').as('blob_id'),
          eb.val(row.uploaded_at).as('uploaded_at'),
          blob
            .select((of) =>
              of.case().when('scan_state', '=', 'pending').then(row.pending).else(of.lit(0)).end().as('pending'),
            )
            .as('pending_scan'),
          eb.val(row.upload_key).as('upload_key'),
        ])
        .where((eb) => eb.not(eb.exists(used))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['name', 'extension', 'pending_scan'])
    .modifyEnd(prepared);
});

interface NewBlob {
  readonly id: BlobId;
  readonly sha256: string;
  readonly size: number;
  readonly now: number;
  readonly scannedAt: number;
}

const addOrShareIn = (state: Scanned['state']) =>
  statement((db, { id, sha256, size, now, scannedAt }: NewBlob) =>
    db
      .insertInto('blobs')
      .values({
        id,
        sha256,
        size,
        used_by: 1,
        unused_since: null,
        created_at: now,
        scan_state: state,
        scanned_at: scannedAt,
      })
      .onConflict((conflict) =>
        conflict.column('sha256').doUpdateSet((eb) => ({
          used_by: eb('blobs.used_by', '+', 1),
          unused_since: null,
          scan_state: stateAfter(eb, state, scannedAt),
          scanned_at: eb
            .case()
            .when('blobs.scanned_at', '<', scannedAt)
            .then(scannedAt)
            .else(eb.ref('blobs.scanned_at'))
            .end(),
        })),
      )
      .returning('id')
      .modifyEnd(prepared),
  );

const addOrShare = {
  unscanned: addOrShareIn('unscanned'),
  pending: addOrShareIn('pending'),
  clean: addOrShareIn('clean'),
  unscannable: addOrShareIn('unscannable'),
} satisfies Record<Scanned['state'], unknown>;

/** A new verdict replaces the old one; a missing verdict does not. */
function stateAfter(eb: ExpressionBuilder<Schema, 'blobs'>, state: Scanned['state'], at: number) {
  const before = eb.ref('blobs.scan_state');
  if (state === 'unscanned') return before;
  const known =
    state === 'pending' ? eb('blobs.scan_state', 'in', ['clean', 'unscannable']) : eb('blobs.scanned_at', '>', at);
  return eb.case().when(known).then(before).else(state).end();
}
