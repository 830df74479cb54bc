import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow, SubscriptionRow } from '../engines/database/schema.ts';
import { findSubscription } from '../billing/find-subscription.ts';
import { setLevel } from '../billing/set-level.ts';

/**
 * Returns whether an operator may forget the customer of an account: one unknown to the provider, or any customer of a
 * deleted account whose cancellation was not confirmed. An open account with a known customer changes its plan at the
 * provider.
 */
const mayForget = (row: SubscriptionRow | undefined): row is SubscriptionRow =>
  row !== undefined && (row.unknown_since !== null || row.cancel_requested_at !== null);

/** Returns the subscription whose customer an operator may forget, or null. */
export async function findForgettable(
  context: Pick<Context, 'db'>,
  accountId: string,
): Promise<SubscriptionRow | null> {
  const row = await findSubscription(context, accountId);
  return mayForget(row) ? row : null;
}

/**
 * Forgets an account's customer and what it paid for, so that the provider is no longer queried about it. A later event
 * of that customer makes it known again. Returns the account's plan, or null if there is nothing to forget. `alongside`
 * runs in the same transaction.
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
