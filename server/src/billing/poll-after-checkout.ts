import type { Context } from '../context.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { hours, seconds } from '../lib/clock.ts';
import { findSubscription } from './find-subscription.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** The provider closes a checkout after this time. */
const checkoutValidFor = hours(24);
const askEvery = seconds(3);

/** The user is about to leave for the provider, where the subscription may change. */
export async function expectPayment({ db, clock }: Pick<Context, 'db' | 'clock'>, accountId: string): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ checkout_opened_at: clock.now() })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * A user who returns from the checkout or the portal requests the subscription before the provider's event arrives. So
 * this queries the provider: now and then while a checkout may still be paid, and once after the portal. If the
 * provider is unavailable, the change becomes known later.
 */
export async function pollAfterCheckout(context: Context, accountId: string): Promise<void> {
  const row = await findSubscription(context, accountId);
  const now = context.clock.now();
  if (!row?.customer_id || row.checkout_opened_at === null) return;
  if (row.checkout_opened_at < now - checkoutValidFor || Math.abs(now - row.read_at) < askEvery) return;
  if (!(await claim(context, row, now))) return;
  try {
    await refreshSubscription(context, { accountId, customerId: row.customer_id });
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
  }
}

/**
 * Of simultaneous callers, only one queries the provider. A failed query counts too: the next one waits just as long.
 */
async function claim({ db }: Pick<Context, 'db'>, row: SubscriptionRow, now: number): Promise<boolean> {
  const claimed = await db
    .updateTable('subscriptions')
    .set({ read_at: now })
    .where('account_id', '=', row.account_id)
    .where('read_at', '=', row.read_at)
    .executeTakeFirst();
  return Number(claimed.numUpdatedRows) === 1;
}
