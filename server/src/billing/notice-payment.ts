import type { Context } from '../context.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { hours, seconds } from '../lib/clock.ts';
import { findSubscription } from './find-subscription.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** As long as the provider lets a checkout stay open. */
const checkoutValidFor = hours(24);
const askEvery = seconds(3);

/** Somebody is about to leave for the provider, and what they pay for may be another when they come back. */
export async function expectPayment({ db, clock }: Pick<Context, 'db' | 'clock'>, accountId: string): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ checkout_opened_at: clock.now() })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Somebody who comes back from paying or from the portal asks for what they have before the provider has told of it. So it
 * is asked: now and then while a checkout of theirs may be paid, and once after the portal. What the provider does not
 * answer is known later.
 */
export async function noticePayment(context: Context, accountId: string): Promise<void> {
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

/** Of those who ask at once one asks the provider. A reading that fails counts too: the next one waits as long. */
async function claim({ db }: Pick<Context, 'db'>, row: SubscriptionRow, now: number): Promise<boolean> {
  const claimed = await db
    .updateTable('subscriptions')
    .set({ read_at: now })
    .where('account_id', '=', row.account_id)
    .where('read_at', '=', row.read_at)
    .executeTakeFirst();
  return Number(claimed.numUpdatedRows) === 1;
}
