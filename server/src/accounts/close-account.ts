import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { accountDeletedLetter } from './letters.ts';
import { closeResetKeys } from './reset-keys.ts';
import { endSessionsOf } from './sessions.ts';

/** What holds bytes of files in memory. */
export interface Memory {
  forget(ids: Iterable<BlobId>): void;
  /** Writes the accesses that only memory knows of; where it serves no files there are none. */
  writeAccesses?(): Promise<void>;
}

/**
 * Deletes an account with all its files, in one transaction: from then on nobody signs in to it, its key is nobody's,
 * no link of it answers, and its address is free. The row stays, without what opened it, because its files' names are
 * never used again. `alongside` runs in the same transaction.
 * @throws {Failure} AUTH_REQUIRED when it is closed already.
 */
export async function closeAccount(
  context: Context,
  memory: Memory,
  account: AccountRow,
  alongside: (tx: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  const { clock } = context;
  const blobIds = await context.db.transaction().execute(async (tx) => {
    const closed = await closeRows(tx, account.id, clock.now(), {
      mayPay: context.config.payments.engine !== 'none',
    });
    if (!closed) throw new Failure('AUTH_REQUIRED');
    await queueLetter({ ...context, db: tx }, accountDeletedLetter(context, account.email));
    await alongside(tx);
    return closed;
  });
  memory.forget(blobIds);
}

/**
 * All that closing an account changes in the database. Answers the blobs that its files had, null if it was closed. With
 * `mayPay` billing asks the payment provider whether the account pays for something although no customer is known here.
 */
export async function closeRows(
  tx: Transaction,
  accountId: string,
  now: number,
  { mayPay = false }: { readonly mayPay?: boolean } = {},
): Promise<BlobId[] | null> {
  // The account's row comes first, as everywhere: an upload under way has committed before it or is refused after it.
  const closed = await tx
    .updateTable('accounts')
    .set({
      closed_at: now,
      space_used: 0,
      slots_used: 0,
      password_hash: '',
      key_hash: `closed ${accountId}`,
      key_sealed: '',
    })
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (Number(closed.numUpdatedRows) !== 1) return null;
  await endSessionsOf({ db: tx }, accountId);
  await closeResetKeys(tx, accountId);
  await tx.deleteFrom('email_codes').where('account_id', '=', accountId).execute();
  // Billing ends what is paid for, as soon as the provider can be asked and until it confirms it.
  const toEnd = { cancel_requested_at: now, cancel_due_at: 0 };
  if (mayPay)
    await tx
      .insertInto('subscriptions')
      .values({ account_id: accountId, ...toEnd })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(toEnd))
      .execute();
  else
    await tx
      .updateTable('subscriptions')
      .set(toEnd)
      .where('account_id', '=', accountId)
      .where('customer_id', 'is not', null)
      .execute();
  await lockBlobs(tx, accountId);
  await releaseBlobs(tx, accountId, now);
  const files = await tx
    .updateTable('files')
    .set({ deleted_at: now, deleted_because: 'account' })
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning('blob_id')
    .execute();
  return files.map((file) => file.blob_id as BlobId);
}

const usesOf = (tx: Transaction, accountId: string) =>
  tx
    .selectFrom('files')
    .select(['blob_id', (eb) => eb.fn.countAll<number>().as('uses')])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .groupBy('blob_id');

/** In the order in which every transaction takes them, so that two cannot wait for each other. */
function lockBlobs(tx: Transaction, accountId: string): Promise<void> {
  const used = usesOf(tx, accountId).as('used');
  const inOrder = tx
    .selectFrom('blobs')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom(used).select('used.blob_id'))
    .orderBy('id');
  return lockRows(tx, inOrder);
}

/** One statement, however many files there are. */
async function releaseBlobs(tx: Transaction, accountId: string, now: number): Promise<void> {
  await tx
    .updateTable('blobs')
    .from(usesOf(tx, accountId).as('used'))
    .set((eb) => ({
      used_by: eb('blobs.used_by', '-', eb.ref('used.uses')),
      unused_since: eb.case().when('blobs.used_by', '=', eb.ref('used.uses')).then(now).else(null).end(),
    }))
    .whereRef('blobs.id', '=', 'used.blob_id')
    .execute();
}
