import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { queueEmail } from '../email/queue-email.ts';
import { accountDeletedEmail } from '../email/templates.ts';
import { closeResetKeys } from './reset-keys.ts';
import { endSessionsOf } from './sessions.ts';

/**
 * Deletes an account: from the commit on, sign-ins, its API key and its links stop working, and its email address is
 * free. `emptyAccount`, or the job that calls it, deletes the rows of its files later, in batches. The row of the
 * account is kept without credentials, because the names of its files are never reused. `alongside` runs in the same
 * transaction.
 * @throws {Failure} AUTH_REQUIRED when it is closed already.
 */
export async function closeAccount(
  context: Context,
  account: AccountRow,
  alongside: (tx: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    if (!(await closeRows(tx, account.id, context.clock.now()))) throw new Failure('AUTH_REQUIRED');
    await queueEmail({ ...context, db: tx }, accountDeletedEmail(context, account.email));
    await alongside(tx);
  });
}

/** Applies all changes of closing an account except to its files. Returns false if it was closed before. */
export async function closeRows(tx: Transaction, accountId: string, now: number): Promise<boolean> {
  // Lock the account's row first, as everywhere: a concurrent upload either committed before this or is rejected after
  // it.
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
  // Billing cancels subscriptions as soon as the provider can be reached, and retries until the provider confirms it.
  await tx
    .updateTable('subscriptions')
    .set({ cancel_requested_at: now, cancel_due_at: 0 })
    .where('account_id', '=', accountId)
    .where('customer_id', 'is not', null)
    .execute();
  return true;
}
