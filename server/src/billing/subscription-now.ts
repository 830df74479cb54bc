import type { Context } from '../context.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';
import { findSubscription, isPaid } from './find-subscription.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/**
 * Returns what an account pays for. It queries the provider where the state may differ from the last event: if nothing
 * is paid for, since a purchase may just have happened, if the plan has ended, and if the user has visited the provider
 * since.
 * @throws {PaymentsUnavailable}
 */
export async function subscriptionNow(context: Context, accountId: string): Promise<SubscriptionRow | undefined> {
  const known = await findSubscription(context, accountId);
  if (!known?.customer_id || (isPaid(known) && known.grace_over === 0 && known.checkout_opened_at === null))
    return known;
  await refreshSubscription(context, { accountId, customerId: known.customer_id });
  return findSubscription(context, accountId);
}
