import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
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
 * Deletes an account: from the commit on nobody signs in to it, its key is nobody's, no link of it answers, and its
 * address is free. Its files' rows go afterwards, in batches, by `emptyAccount` or the job that calls it. The row of the
 * account stays, without what opened it, because its files' names are never used again. `alongside` runs in the same
 * transaction.
 * @throws {Failure} AUTH_REQUIRED when it is closed already.
 */
export async function closeAccount(
  context: Context,
  account: AccountRow,
  alongside: (tx: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const mayPay = context.config.payments.engine !== 'none';
    if (!(await closeRows(tx, account.id, context.clock.now(), { mayPay }))) throw new Failure('AUTH_REQUIRED');
    await queueLetter({ ...context, db: tx }, accountDeletedLetter(context, account.email));
    await alongside(tx);
  });
}

/**
 * All that closing an account changes besides its files, which keep their room until they are deleted. False if it was
 * closed before. With `mayPay` billing asks the payment provider whether the account pays for something although no customer
 * is known here.
 */
export async function closeRows(
  tx: Transaction,
  accountId: string,
  now: number,
  { mayPay = false }: { readonly mayPay?: boolean } = {},
): Promise<boolean> {
  // The account's row comes first, as everywhere: an upload under way has committed before it or is refused after it.
  const closed = await tx
    .updateTable('accounts')
    .set({ closed_at: now, password_hash: '', key_hash: `closed ${accountId}`, key_sealed: '' })
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (Number(closed.numUpdatedRows) !== 1) return false;
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
  return true;
}
