import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow, SubscriptionRow } from '../engines/database/schema.ts';
import { findSubscription } from './find-subscription.ts';
import { setLevel } from './set-level.ts';

/**
 * Whether an operator may forget the customer of an account: one whom the provider does not know, and of a deleted account
 * any whose end was not confirmed. An open account whose customer is known changes its plan at the provider.
 */
export const mayForget = (row: SubscriptionRow | undefined): row is SubscriptionRow =>
  row !== undefined && (row.unknown_since !== null || row.cancel_requested_at !== null);

/**
 * Forgets which customer an account is at the provider and what it paid for, so that nothing is asked about it any more.
 * An event of that customer still makes it known again. Answers the account's plan, or null when there is nothing to
 * forget. `alongside` runs in the same transaction.
 */
export function forgetPayments(
  { db }: Pick<Context, 'db'>,
  { id }: Pick<AccountRow, 'id'>,
  alongside: (tx: Transaction, forgotten: SubscriptionRow) => Promise<void>,
): Promise<PlanLevel | null> {
  return db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', id));
    const row = await findSubscription({ db: tx }, id);
    if (!mayForget(row)) return null;
    await tx
      .updateTable('subscriptions')
      .set({
        customer_id: null,
        subscription_id: null,
        level: null,
        period: null,
        status: 'none',
        past_due_since: null,
        period_ends_at: null,
        ends_with_period: 0,
        checkout_opened_at: null,
        grace_over: 0,
        cancel_requested_at: null,
        cancel_due_at: 0,
        cancel_attempts: 0,
        unknown_since: null,
      })
      .where('account_id', '=', id)
      .execute();
    const account = await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const level = await setLevel(tx, account);
    await alongside(tx, row);
    return level;
  });
}
