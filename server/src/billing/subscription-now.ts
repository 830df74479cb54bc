import type { Context } from '../context.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';
import { findSubscription, isPaid } from './find-subscription.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/**
 * What an account pays for, read anew where it may be another than the last event told: where nothing is paid for, since it
 * may have been bought a moment ago, where the plan is gone, and where somebody has been at the provider since.
 * @throws {PaymentsUnavailable}
 */
export async function subscriptionNow(context: Context, accountId: string): Promise<SubscriptionRow | undefined> {
  const known = await findSubscription(context, accountId);
  if (!known?.customer_id || (isPaid(known) && known.grace_over === 0 && known.checkout_opened_at === null))
    return known;
  await refreshSubscription(context, { accountId, customerId: known.customer_id });
  return findSubscription(context, accountId);
}
