import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { newBlobId } from '../storage/blobs/blob-id.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { AccountRow, FileRow, HoldReason } from '../storage/db/schema.ts';
import { removeFiles } from '../files/remove-files.ts';
import { blockDigest } from './blocklist.ts';

export interface Bytes {
  readonly sha256: string;
}

/** The files that one owner lost, over all batches and runs. */
export interface Withheld {
  readonly files: number;
  /** The first by name. */
  readonly some: readonly Pick<FileRow, 'name' | 'original_name' | 'size'>[];
}

/** Called in the transaction that removes an owner's last file, so exactly once for each owner. */
export type TellOwner = (tx: Transaction, owner: AccountRow, withheld: Withheld) => Promise<void>;

const filesPerBatch = 500;
const accountsPerBatch = 500;
const namedInEmail = 20;

/**
 * Removes every live file with the same bytes from all accounts and blocks further uploads of them. The bytes are kept,
 * held for the first `reason`, until a restore releases them. It can be killed at any moment: the next call continues.
 * @param reference the signature that was found, or the case.
 */
export async function removeBytesEverywhere(
  context: Context,
  { sha256 }: Bytes,
  reason: HoldReason,
  reference: string,
  tellOwner: TellOwner,
): Promise<{ accounts: number; files: number }> {
  const done = { accounts: 0, files: 0 };
  const blobId = await holdAndBlock(context, sha256, reason, reference);
  if (blobId === null) return done;
  for (let owners; (owners = await ownersOf(context.db, blobId)).length > 0;) {
    for (const accountId of owners) {
      const now = context.clock.now();
      const removed = await context.db
        .transaction()
        .execute((tx) => removeFrom(tx, { accountId, blobId, reason, now }, tellOwner));
      done.accounts += removed.wasLast ? 1 : 0;
      done.files += removed.files;
    }
  }
  return done;
}

interface Removal {
  readonly blobId: BlobId;
  readonly reason: HoldReason;
  readonly now: number;
}

/** The same for bytes that are held already, in the caller's transaction alone. */
export async function removeHeldBytes(tx: Transaction, removal: Removal, tellOwner: TellOwner): Promise<void> {
  for (let owners; (owners = await ownersOf(tx, removal.blobId)).length > 0;)
    for (const accountId of owners) await removeFrom(tx, { ...removal, accountId }, tellOwner);
}

/**
 * Locks the blob's row: an upload of the same bytes has either committed before, so that its file is found, or checks the
 * block afterwards. Without a row a temporary one is inserted, which waits for an upload that is about to commit.
 */
async function holdAndBlock(
  { db, clock }: Context,
  sha256: string,
  reason: HoldReason,
  reference: string,
): Promise<BlobId | null> {
  return db.transaction().execute(async (tx) => {
    const now = clock.now();
    const held = { held_for: reason, held_at: now };
    const place = newBlobId();
    const { id } = await tx
      .insertInto('blobs')
      .values({ id: place, sha256, size: 0, used_by: 0, unused_since: now, created_at: now, ...held })
      .onConflict((conflict) =>
        conflict.column('sha256').doUpdateSet((eb) => ({
          held_for: eb.fn.coalesce('blobs.held_for', eb.val(reason)),
          held_at: eb.fn.coalesce('blobs.held_at', eb.val(now)),
        })),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    if (id === place) await tx.deleteFrom('blobs').where('id', '=', place).execute();
    await blockDigest(tx, sha256, reason, reference, now);
    return id === place ? null : id;
  });
}

async function ownersOf(db: Database, blobId: BlobId): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('account_id')
    .distinct()
    .where('blob_id', '=', blobId)
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .limit(accountsPerBatch)
    .execute();
  return rows.map((row) => row.account_id);
}

async function removeFrom(
  tx: Transaction,
  { accountId, blobId, reason, now }: Removal & { readonly accountId: string },
  tellOwner: TellOwner,
): Promise<{ files: number; wasLast: boolean }> {
  await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
  const owner = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
  const because = owner.closed_at === null ? reason : 'account';
  const removed = await removeFiles(tx, { accountId, reason: because, now }, (eb) =>
    eb(
      'id',
      'in',
      eb
        .selectFrom('files as batch')
        .select('batch.id')
        .where('batch.account_id', '=', accountId)
        .where('batch.blob_id', '=', blobId)
        .where('batch.deleted_at', 'is', null)
        .limit(filesPerBatch),
    ),
  );
  // The owner has deleted them by closing the account: the case does not count against them.
  if (owner.closed_at !== null) return { files: 0, wasLast: false };
  const live = tx.selectFrom('files').select('id').where('account_id', '=', accountId).where('blob_id', '=', blobId);
  const wasLast = removed.length > 0 && !(await live.where('deleted_at', 'is', null).limit(1).executeTakeFirst());
  if (wasLast) await tellOwner(tx, owner, await withheldFrom(tx, accountId, blobId, reason));
  return { files: removed.length, wasLast };
}

async function withheldFrom(tx: Transaction, accountId: string, blobId: BlobId, reason: HoldReason): Promise<Withheld> {
  const gone = tx
    .selectFrom('files')
    .where('blob_id', '=', blobId)
    .where('account_id', '=', accountId)
    .where('deleted_because', '=', reason)
    // Written out so that the partial index is used.
    .where(sql<boolean>`deleted_because IN ('malware', 'takedown')`);
  const { files } = await gone.select((eb) => eb.fn.countAll<number>().as('files')).executeTakeFirstOrThrow();
  const some = await gone
    .select(['name', 'original_name', 'size'])
    .orderBy('original_name')
    .orderBy('id')
    .limit(namedInEmail)
    .execute();
  return { files, some };
}
