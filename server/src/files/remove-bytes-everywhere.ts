import { sql } from 'kysely';
import type { Memory } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import { newBlobId } from '../engines/blobs/blob-id.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow, FileRow, HoldReason } from '../engines/database/schema.ts';
import { removeFiles } from './remove-files.ts';

/** Stored or not. */
export interface Bytes {
  readonly sha256: string;
}

/** What one owner lost in one removal, however many batches or runs it took. */
export interface Withheld {
  readonly files: number;
  /** The first of them by name, for a letter. */
  readonly some: readonly Pick<FileRow, 'name' | 'original_name' | 'size'>[];
}

/** Called in the transaction that removes an owner's last file of the bytes, so exactly once for each owner. */
export type TellOwner = (tx: Transaction, owner: AccountRow, withheld: Withheld) => Promise<void>;

const filesPerBatch = 500;
const accountsPerBatch = 500;
const namedInLetter = 20;

/**
 * Takes every live file of the same bytes from its owner, in all accounts, and lets nobody upload them again. The bytes
 * stay, held for `reason`, until whoever restores them lets them go: which has to unblock the digest and end the hold
 * before it brings a file back, because what is held and used is removed again. Killed at any moment, it does the rest
 * when it is called again. What was blocked or held before stays so for its first reason.
 * @param reference the signature that was found, or the case.
 */
export async function removeBytesEverywhere(
  context: Context,
  memory: Memory,
  { sha256 }: Bytes,
  reason: HoldReason,
  reference: string,
  tellOwner: TellOwner,
): Promise<{ accounts: number; files: number }> {
  const done = { accounts: 0, files: 0 };
  const blobId = await holdAndBlock(context, sha256, reason, reference);
  if (blobId === null) return done;
  for (let owners; (owners = await ownersOf(context, blobId)).length > 0;) {
    for (const accountId of owners) {
      const removed = await removeFrom(context, accountId, blobId, reason, tellOwner);
      memory.forget([blobId]);
      done.accounts += removed.wasLast ? 1 : 0;
      done.files += removed.files;
    }
  }
  return done;
}

/**
 * First, and in one transaction that takes the blob's row: an upload of the same bytes has either committed before, and
 * its file is found below, or looks for the block after it. Where there is no row yet, one takes its place for a moment:
 * an upload that is about to commit the first one is waited for. Answers the blob, or null when the bytes are not stored.
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
    return id === place ? null : (id as BlobId);
  });
}

/** From then on nobody uploads these bytes. */
export async function blockDigest(
  db: Pick<Transaction, 'insertInto'>,
  sha256: string,
  reason: HoldReason,
  reference: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('blocked_digests')
    .values({ sha256, reason, reference, blocked_at: now })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
}

async function ownersOf({ db }: Context, blobId: BlobId): Promise<string[]> {
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

function removeFrom(
  { db, clock }: Context,
  accountId: string,
  blobId: BlobId,
  reason: HoldReason,
  tellOwner: TellOwner,
): Promise<{ files: number; wasLast: boolean }> {
  return db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    const { closed_at: closedAt } = await tx
      .selectFrom('accounts')
      .select('closed_at')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const because = closedAt === null ? reason : 'account';
    const removed = await removeFiles(tx, { accountId, reason: because, now: clock.now() }, (eb) =>
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
    // Its owner has deleted them, and they were about to go: nobody is told, and nothing counts against anybody.
    if (closedAt !== null) return { files: 0, wasLast: false };
    const live = tx.selectFrom('files').select('id').where('account_id', '=', accountId).where('blob_id', '=', blobId);
    const wasLast = removed.length > 0 && !(await live.where('deleted_at', 'is', null).limit(1).executeTakeFirst());
    if (wasLast) {
      const owner = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
      await tellOwner(tx, owner, await withheldFrom(tx, accountId, blobId, reason));
    }
    return { files: removed.length, wasLast };
  });
}

/** With what an earlier batch or run has removed. */
async function withheldFrom(tx: Transaction, accountId: string, blobId: BlobId, reason: HoldReason): Promise<Withheld> {
  const gone = tx
    .selectFrom('files')
    .where('blob_id', '=', blobId)
    .where('account_id', '=', accountId)
    .where('deleted_because', '=', reason)
    // As the index has it, so that it is used.
    .where(sql<boolean>`deleted_because IN ('malware', 'takedown')`);
  const { files } = await gone.select((eb) => eb.fn.countAll<number>().as('files')).executeTakeFirstOrThrow();
  const some = await gone
    .select(['name', 'original_name', 'size'])
    .orderBy('original_name')
    .orderBy('id')
    .limit(namedInLetter)
    .execute();
  return { files, some };
}
