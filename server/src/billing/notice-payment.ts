import type { Context } from '../context.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { hours, seconds } from '../lib/clock.ts';
import { findSubscription } from './find-subscription.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** As long as the provider lets a checkout stay open. */
const checkoutValidFor = hours(24);
const askEvery = seconds(3);

/**
 * Somebody who comes back from paying asks for what they have before the provider has told of it: so it is asked, now and
 * then while a checkout of theirs may be paid. What the provider does not answer is known later.
 */
export async function noticePayment(context: Context, accountId: string): Promise<void> {
  const row = await findSubscription(context, accountId);
  const now = context.clock.now();
  if (!row?.customer_id || row.checkout_opened_at === null) return;
  if (row.checkout_opened_at < now - checkoutValidFor || Math.abs(now - row.read_at) < askEvery) return;
  try {
    await refreshSubscription(context, { accountId, customerId: row.customer_id });
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
  }
}
