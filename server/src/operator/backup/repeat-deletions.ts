import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { closeRows } from '../../accounts/close-account.ts';
import { setLevel } from '../../billing/subscription.ts';
import type { Transaction } from '../../engines/database/database.ts';
import type { ScanState } from '../../engines/database/schema.ts';
import { noteActivity, removeFiles } from '../../files/remove-files.ts';
import type {
  AccountChange,
  BlockedDigest,
  RepeatedDeletion,
  Discard,
  Favorite,
  GivenBack,
  Invitation,
  Notice,
} from './deletions.ts';
import { readLines } from './lines-file.ts';
import { deletionsFile } from './manifest.ts';
import { isNeeded } from './needed-blobs.ts';

/**
 * Applies the list beside the backup to the restored rows, in its order. Returns the number of entries that changed
 * something, or null if there is no list.
 */
export async function repeatDeletions(
  tx: Transaction,
  folder: string,
  now: number,
  signal: AbortSignal,
): Promise<number | null> {
  const path = join(folder, deletionsFile);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  let repeated = 0;
  const blocked = new Set<string>();
  for await (const deletions of readLines<RepeatedDeletion>(path)) {
    signal.throwIfAborted();
    for (const deletion of deletions) {
      if (deletion.kind === 'digest') blocked.add(deletion.row.sha256);
      repeated +=
        deletion.kind === 'no other digest'
          ? await unblockOthers(tx, blocked, now)
          : await repeatDeletion(tx, deletion, now);
    }
  }
  return repeated;
}

/**
 * Returns 1 if there was something to do, otherwise 0. Whatever is absent or already deleted in the backup counts as
 * done.
 */
async function repeatDeletion(
  tx: Transaction,
  deletion: Exclude<RepeatedDeletion, { kind: 'no other digest' }>,
  now: number,
): Promise<number> {
  if (deletion.kind === 'account') return (await closeRows(tx, deletion.id, now)) ? 1 : 0;
  if (deletion.kind === 'file') return deleteAgain(tx, deletion, now);
  if (deletion.kind === 'account changed') return repeatChange(tx, deletion);
  if (deletion.kind === 'given back') return giveBack(tx, deletion);
  if (deletion.kind === 'digest') return repeatBlock(tx, deletion.row, now);
  if (deletion.kind === 'favorite') return repeatFavorite(tx, deletion);
  if (deletion.kind === 'discarded') return repeatDiscard(tx, deletion);
  if (deletion.kind === 'invitation') return repeatInvitation(tx, deletion);
  await repeatNotice(tx, deletion);
  return 0;
}

async function deleteAgain(
  tx: Transaction,
  { account: accountId, name, at, because: reason }: Extract<RepeatedDeletion, { kind: 'file' }>,
  now: number,
): Promise<number> {
  const removed = await removeFiles(tx, { accountId, reason, now, happenedAt: at }, (eb) => eb('name', '=', name));
  if (removed.length > 0 || reason === 'malware' || reason === 'takedown') return removed.length;
  // The file is withheld in the backup, and was given back and deleted since. The new reason keeps it from being given
  // back again.
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .set({ deleted_because: reason })
    .where('name', '=', name)
    .where('account_id', '=', accountId)
    .where('deleted_because', 'in', ['malware', 'takedown'])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** A key or password that was replaced since the backup must not open the account again. */
async function repeatChange(tx: Transaction, { row: { id, ...columns } }: AccountChange): Promise<number> {
  const { changed_at: at, ...protecting } = columns;
  const before = await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  // The account is newer than the backup, or was deleted since.
  if (!before || before.closed_at !== null || before.changed_at === at) return 0;
  const account = await tx
    .updateTable('accounts')
    .set({ ...protecting, changed_at: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await setLevel(tx, account);
  return 1;
}

async function repeatFavorite(tx: Transaction, { account, name, at }: Favorite): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .set({ is_favorite: 1, favorite_since: at })
    .where('name', '=', name)
    .where('account_id', '=', account)
    .where('is_favorite', '=', 0)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Without their row the bytes are not copied back; any that are in the storage all the same are left to the sweep. */
async function repeatDiscard(tx: Transaction, { sha256, at }: Discard): Promise<number> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('discarded_digests')
    .values({ sha256, discarded_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  await tx.deleteFrom('blobs').where('sha256', '=', sha256).where('used_by', '=', 0).execute();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/**
 * A used or revoked link must not work again, and one made since the backup keeps working. The uses are those of the
 * list, not the number of restored accounts: an account made since the backup is lost, but its link was used, and others
 * who have the link must not get another account by it. Its owner needs a new invitation.
 */
async function repeatInvitation(tx: Transaction, { row }: Invitation): Promise<number> {
  const { id, uses, revoked_at } = row;
  const before = await tx
    .selectFrom('invitations')
    .select(['uses', 'revoked_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (before?.uses === uses && before.revoked_at === revoked_at) return 0;
  await tx
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ uses, revoked_at }))
    .execute();
  return 1;
}

/**
 * Ignores the quota of the account: the file was live when the list was written. Blocks set afterwards come later in
 * the list.
 */
async function giveBack(tx: Transaction, { account: accountId, name, at }: GivenBack): Promise<number> {
  const withheld = tx.selectFrom('files').selectAll().where('name', '=', name).where('account_id', '=', accountId);
  const file = await withheld.where('deleted_because', 'in', ['malware', 'takedown']).executeTakeFirst();
  const account = tx.selectFrom('accounts').select('id').where('id', '=', accountId).where('closed_at', 'is', null);
  // The owner may have deleted the account since, and its files may still be waiting for deletion.
  if (!file || !(await account.executeTakeFirst())) return 0;
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set((eb) => ({
      held_for: null,
      held_at: null,
      used_by: eb('used_by', '+', 1),
      unused_since: null,
      scan_state: sql<ScanState>`CASE WHEN scan_state = 'infected' THEN 'clean' ELSE scan_state END`,
    }))
    .where('id', '=', file.blob_id)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) return 0;
  await tx.deleteFrom('blocked_digests').where('sha256', '=', file.sha256).where('blocked_at', '<', at).execute();
  await tx
    .updateTable('accounts')
    .set((eb) => ({ space_used: eb('space_used', '+', file.size), slots_used: eb('slots_used', '+', 1) }))
    .where('id', '=', accountId)
    .execute();
  const live = { deleted_at: null, deleted_because: null, returned_at: at };
  await tx.updateTable('files').set(live).where('id', '=', file.id).execute();
  await noteActivity(tx, { accountId, event: 'restored', now: at }, [file]);
  return 1;
}

/**
 * Holds blocked bytes as well: they are restored and kept until an operator restores the file. Bytes that no file used
 * when the backup was taken are not in it, even if they were uploaded again later.
 */
async function repeatBlock(tx: Transaction, row: BlockedDigest, now: number): Promise<number> {
  const { sha256, reason, reference, blocked_at } = row;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('blocked_digests')
    .values(row)
    // The case named in the backup may be closed, and another one may have taken the bytes since.
    .onConflict((conflict) =>
      conflict
        .column('sha256')
        .doUpdateSet({ reason, reference, blocked_at })
        .where((eb) =>
          eb.or([eb('blocked_digests.reason', '<>', reason), eb('blocked_digests.reference', '<>', reference)]),
        ),
    )
    .executeTakeFirst();
  await tx
    .updateTable('blobs')
    .set({ held_for: reason, held_at: now, ...(reason === 'malware' && { scan_state: 'infected' }) })
    .where('sha256', '=', sha256)
    .where('held_for', 'is', null)
    .where((eb) => eb.or([isNeeded, eb('unused_since', '>=', now)]))
    .execute();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/** An owner who got the bytes back may have deleted them since; then no file shows that they are no longer blocked. */
async function unblockOthers(tx: Transaction, blocked: ReadonlySet<string>, now: number): Promise<number> {
  const before = await tx.selectFrom('blocked_digests').select('sha256').execute();
  const freed = before.filter(({ sha256 }) => !blocked.has(sha256));
  for (const { sha256 } of freed) {
    await tx.deleteFrom('blocked_digests').where('sha256', '=', sha256).execute();
    await tx
      .updateTable('blobs')
      .set({
        held_for: null,
        held_at: null,
        // Accounts without free space for them have as much time as after any other restoration.
        unused_since: sql<number | null>`CASE WHEN unused_since IS NULL THEN NULL ELSE cast(${now} as bigint) END`,
        scan_state: sql<ScanState>`CASE WHEN scan_state = 'infected' THEN 'clean' ELSE scan_state END`,
      })
      .where('sha256', '=', sha256)
      .execute();
  }
  return freed.length;
}

/**
 * Restores cases as they were at the time of the list: they count against their accounts and name what holds the bytes.
 */
async function repeatNotice(tx: Transaction, notice: Notice): Promise<void> {
  if (notice.kind === 'case') {
    const { row } = notice;
    const cases = tx.insertInto('takedown_cases').values(row);
    await cases
      .onConflict((conflict) => conflict.columns(['reference', 'sha256']).doUpdateSet({ closed_at: row.closed_at }))
      .execute();
    return;
  }
  const { row } = notice;
  const account = await tx.selectFrom('accounts').select('id').where('id', '=', row.account_id).executeTakeFirst();
  // The account is newer than the backup.
  if (!account) return;
  const { taken_down_at, restored_at } = row;
  const takedowns = tx.insertInto('takedowns').values(row);
  await takedowns
    .onConflict((conflict) =>
      conflict.columns(['reference', 'sha256', 'account_id']).doUpdateSet({ taken_down_at, restored_at }),
    )
    .execute();
}
