import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { BlobId, BlobStore } from '../../engines/blobs/blobs.ts';
import type { Transaction } from '../../engines/database/database.ts';
import { lockRows } from '../../engines/database/lock-rows.ts';
import { removeFiles } from '../../files/remove-files.ts';
import { createDeletionLimit } from '../../maintenance/deletion-limit.ts';
import { sizeIn } from './find-missing.ts';

/**
 * Refuses to drop the files of an implausible share of all blobs, unless the operator has allowed so many.
 * @throws {DeletionLimitExceeded}
 */
export function limitDropping(missing: number, needed: number, allowed: number | null): void {
  createDeletionLimit(allowed).check(missing, needed, 0);
}

/**
 * Deletes the files whose bytes were not restored. After a restore these are the ones that were deleted and purged
 * between the backup and the copying of the blobs. Holds on their blobs end, because there is nothing left to give
 * back; their digests stay blocked. Returns the number of deleted files.
 */
export async function dropMissing({ db, clock }: Context, missing: readonly BlobId[]): Promise<number> {
  let dropped = 0;
  for (const id of missing) {
    const owners = await db
      .selectFrom('files')
      .select('account_id')
      .distinct()
      .where('blob_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute();
    for (const { account_id: accountId } of owners) {
      const removed = await db.transaction().execute(async (tx) => {
        await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
        return removeFiles(tx, { accountId, reason: 'bytes_missing', now: clock.now() }, (eb) =>
          eb('blob_id', '=', id),
        );
      });
      dropped += removed.length;
    }
    await db
      .updateTable('blobs')
      .set({ held_for: null, held_at: null, unused_since: clock.now() })
      .where('id', '=', id)
      .where('used_by', '=', 0)
      .execute();
  }
  return dropped;
}

const filesPerPage = 500;

export interface BroughtBack {
  /** Files that are live again. */
  readonly back: number;
  /**
   * Files whose bytes are in `pool` but whose rows the purge has already emptied: only another restore brings them
   * back.
   */
  readonly late: number;
}

/**
 * Undoes `dropMissing` for files whose bytes are in `pool`, if the purge has not emptied their rows: the files are live
 * again and count toward their account's usage. Files that were blocked, since the backup or since they were dropped,
 * are held and withheld instead.
 */
export async function bringBackDropped(
  { db, clock }: Context,
  pool: BlobStore,
  signal: AbortSignal,
): Promise<BroughtBack> {
  await holdBlocked(db, clock.now());
  let [back, late] = [0, 0];
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const files = await db
      .selectFrom('files')
      .innerJoin('accounts', 'accounts.id', 'files.account_id')
      .leftJoin('blobs', 'blobs.id', 'files.blob_id')
      .select(['files.id', 'files.account_id', 'files.blob_id', 'files.size', 'files.original_name', 'blobs.sha256'])
      .where('files.deleted_because', '=', 'bytes_missing')
      .where('files.id', '>', after)
      .where('accounts.closed_at', 'is', null)
      .orderBy('files.id')
      .limit(filesPerPage)
      .execute();
    for (const { original_name, sha256, ...file } of files) {
      if ((await sizeIn(pool, file.blob_id)) !== file.size) continue;
      if (sha256 === null || original_name === '') late += 1;
      else back += await bringBack(db, { ...file, sha256 }, clock.now());
    }
    after = files.at(-1)?.id ?? '';
    if (files.length < filesPerPage) return { back, late };
  }
}

interface Dropped {
  readonly id: string;
  readonly account_id: string;
  readonly blob_id: BlobId;
  readonly size: number;
  readonly sha256: string;
}

function bringBack(db: Context['db'], file: Dropped, now: number): Promise<number> {
  const { id, account_id, blob_id, size } = file;
  return db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', account_id));
    await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', blob_id));
    const blob = await tx.selectFrom('blobs').select('held_for').where('id', '=', blob_id).executeTakeFirst();
    if (!blob) return 0;
    const because = blob.held_for;
    const changed = await tx
      .updateTable('files')
      .set(
        because === null
          ? { deleted_at: null, deleted_because: null, returned_at: now }
          : { deleted_at: now, deleted_because: because },
      )
      .where('id', '=', id)
      .where('deleted_because', '=', 'bytes_missing')
      .executeTakeFirst();
    if (Number(changed.numUpdatedRows) === 0) return 0;
    if (because !== null) {
      if (because === 'takedown') await countForCases(tx, file, now);
      return 0;
    }
    await tx
      .updateTable('accounts')
      .set((eb) => ({ space_used: eb('space_used', '+', size), slots_used: eb('slots_used', '+', 1) }))
      .where('id', '=', account_id)
      .execute();
    await tx
      .updateTable('blobs')
      .set((eb) => ({ used_by: eb('used_by', '+', 1), unused_since: null }))
      .where('id', '=', blob_id)
      .execute();
    return 1;
  });
}

/**
 * Records the account in the open cases on these bytes: they have taken this file too, and `restore` finds the affected
 * accounts by these rows.
 */
async function countForCases(tx: Transaction, { sha256, account_id }: Dropped, now: number): Promise<void> {
  await sql`
    INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
    SELECT reference, sha256, ${account_id}, cast(${now} as bigint) FROM takedown_cases
    WHERE sha256 = ${sha256} AND closed_at IS NULL
    ON CONFLICT (reference, sha256, account_id) DO NOTHING`.execute(tx);
}

/** Restores holds on blocked bytes. Only `dropMissing` ends a hold without ending the block. */
async function holdBlocked(db: Context['db'], now: number): Promise<void> {
  await sql`
    UPDATE blobs SET held_at = cast(${now} as bigint),
      held_for = (SELECT reason FROM blocked_digests WHERE blocked_digests.sha256 = blobs.sha256)
    WHERE held_for IS NULL AND used_by = 0
      AND sha256 IN (SELECT sha256 FROM blocked_digests)`.execute(db);
}
