import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { planOf } from '../accounts/plan-of.ts';
import { restoredEmail } from '../email/templates.ts';
import { type Actor, recordAction } from './record-action.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { queueEmail } from '../email/queue-email.ts';
import type { FoundBytes } from './find-bytes.ts';
import { type Hold, holdsOn, isSame } from './holds.ts';
import { noteActivity } from '../files/remove-files.ts';

export interface RestoreOrder {
  readonly actor: Actor;
  readonly bytes: FoundBytes;
  readonly hold: Hold;
  readonly overQuota: boolean;
}

export interface RestoredFiles {
  readonly account: string;
  readonly files: number;
  readonly outcome: 'restored' | 'over quota' | 'account closed' | 'held again' | 'nothing to restore';
}

/**
 * Restores all files of the bytes that one account had, or none of them.
 * @throws {Failure} FILE_NOT_FOUND when the bytes are gone.
 */
export function restoreFilesOf(context: Context, accountId: string, order: RestoreOrder): Promise<RestoredFiles> {
  return context.db.transaction().execute(async (tx) => {
    const { bytes } = order;
    // Locks the account's row first, then the blob's, like every other transaction.
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', bytes.blobId));
    await requireRow(tx, bytes);
    const account = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    const { files, size } = await withheldOf(tx, accountId, bytes);
    const answer = (outcome: RestoredFiles['outcome']): RestoredFiles => ({ account: account.email, files, outcome });
    if (files === 0) return answer('nothing to restore');
    if (account.closed_at !== null) return answer('account closed');
    // Another case that was opened in between is visible here, because opening it locks the blob's row too.
    if ((await holdsOn(tx, bytes)).some((each) => !isSame(each, order.hold))) return answer('held again');
    if (!(await reserveForRestore(tx, account.id, planOf(context, account), { files, size }, order.overQuota)))
      return answer('over quota');
    await liftHold(tx, context.clock.now(), order);
    await bringBack(context, tx, account, order);
    return answer('restored');
  });
}

/** A blob without a row belongs to the purge, which may delete the bytes at any moment, or to the sweep. */
async function requireRow(tx: Transaction, bytes: FoundBytes): Promise<void> {
  const row = tx.selectFrom('blobs').select('id').where('id', '=', bytes.blobId).where('sha256', '=', bytes.sha256);
  if (!(await row.executeTakeFirst())) throw goneForGood(bytes);
}

export const goneForGood = ({ name, sha256 }: FoundBytes): Failure =>
  new Failure('FILE_NOT_FOUND', `The bytes of '${name ?? sha256}' were permanently deleted and cannot be restored.`);

function withheldOf(
  tx: Transaction,
  accountId: string,
  { blobId }: FoundBytes,
): Promise<{ files: number; size: number }> {
  return tx
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('size'),
    ])
    .where('account_id', '=', accountId)
    .where('blob_id', '=', blobId)
    .where('deleted_because', 'in', ['malware', 'takedown'])
    .executeTakeFirstOrThrow();
}

async function reserveForRestore(
  tx: Transaction,
  accountId: AccountRow['id'],
  { spaceQuota, slotsQuota }: Plan,
  { files, size }: { readonly files: number; readonly size: number },
  overQuota: boolean,
): Promise<boolean> {
  const taken = await tx
    .updateTable('accounts')
    .set((eb) => ({ space_used: eb('space_used', '+', size), slots_used: eb('slots_used', '+', files) }))
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .$if(!overQuota, (query) =>
      query.where('space_used', '<=', spaceQuota - size).where('slots_used', '<=', slotsQuota - files),
    )
    .executeTakeFirst();
  return Number(taken.numUpdatedRows) === 1;
}

/** Runs before any file is restored: a live file whose bytes are held or blocked would be taken down again. */
async function liftHold(tx: Transaction, now: number, { bytes, hold }: RestoreOrder): Promise<void> {
  await tx
    .updateTable('blobs')
    .set({
      held_for: null,
      held_at: null,
      ...(hold.kind === 'quarantine' && { scan_state: 'clean', scanned_at: now, scan_tries: 0 }),
    })
    .where('id', '=', bytes.blobId)
    .execute();
  await tx.deleteFrom('blocked_digests').where('sha256', '=', bytes.sha256).execute();
  if (hold.kind === 'case') await closeCase(tx, now, bytes, hold.reference);
}

export async function closeCase(
  tx: Transaction,
  now: number,
  { sha256 }: FoundBytes,
  reference: string,
): Promise<void> {
  await tx
    .updateTable('takedown_cases')
    .set({ closed_at: now })
    .where('reference', '=', reference)
    .where('sha256', '=', sha256)
    .where('closed_at', 'is', null)
    .execute();
}

const rowsPerInsert = 500;
const namedInEmail = 20;

async function bringBack(context: Context, tx: Transaction, account: AccountRow, order: RestoreOrder): Promise<void> {
  const { bytes, hold } = order;
  const now = context.clock.now();
  const files = await tx
    .updateTable('files')
    .set({ deleted_at: null, deleted_because: null, returned_at: now })
    .where('account_id', '=', account.id)
    .where('blob_id', '=', bytes.blobId)
    .where('deleted_because', 'in', ['malware', 'takedown'])
    .returning(['name', 'original_name', 'size'])
    .execute();
  await tx
    .updateTable('blobs')
    .set((eb) => ({ used_by: eb('used_by', '+', files.length), unused_since: null }))
    .where('id', '=', bytes.blobId)
    .execute();
  // Cases that were closed while this one still held the bytes are already marked.
  await tx
    .updateTable('takedowns')
    .set({ restored_at: now })
    .where('account_id', '=', account.id)
    .where('sha256', '=', bytes.sha256)
    .where('restored_at', 'is', null)
    .execute();
  for (let at = 0; at < files.length; at += rowsPerInsert)
    await noteActivity(tx, { accountId: account.id, event: 'restored', now }, files.slice(at, at + rowsPerInsert));
  const some = files.slice(0, namedInEmail);
  const reference = hold.kind === 'case' ? hold.reference : null;
  await queueEmail(
    { ...context, db: tx },
    restoredEmail(context, account.email, reference, { files: files.length, some }),
  );
  await noteAction(context, tx, order, { files: files.length, account: account.email, overQuota: order.overQuota });
}

export async function noteAction(
  context: Context,
  tx: Transaction,
  { actor, bytes, hold }: Pick<RestoreOrder, 'actor' | 'bytes' | 'hold'>,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAction({ ...context, db: tx }, actor, {
    subject: bytes.name ?? bytes.sha256,
    ...(hold.kind === 'case' && { reference: hold.reference }),
    details: { sha256: bytes.sha256, lifts: hold.kind, ...details },
  });
}
