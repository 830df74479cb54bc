import { planLevels } from '@holdfast/contract/src/plans.ts';
import type { Stripe } from 'stripe';
import type { ProviderSubscription } from './payments.ts';
import type { StripePrice } from './stripe-prices.ts';

export function readStripeSubscription(
  subscription: Stripe.Subscription,
  prices: readonly StripePrice[],
): ProviderSubscription {
  const items = subscription.items.data;
  const plans = items
    .flatMap((item) => {
      const offer = prices.find(({ id }) => id === item.price.id)?.offer;
      // A quantity of 0 costs nothing.
      const times = item.quantity ?? 1;
      return offer && times > 0 ? [{ item, offer, times }] : [];
    })
    .toSorted((a, b) => planLevels.indexOf(b.offer.level) - planLevels.indexOf(a.offer.level));
  const periodEnds = (plans[0]?.item ?? items[0])?.current_period_end ?? subscription.created;
  // The portal sets one of two fields, depending on how the subscription is billed.
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEnds : null);
  return {
    id: subscription.id,
    offer: plans[0]?.offer ?? null,
    times: plans.reduce((sum, { times }) => sum + times, 0),
    status: statuses[subscription.status] ?? 'past_due',
    createdAt: subscription.created * 1000,
    periodEndsAt: (cancelAt ?? periodEnds) * 1000,
    endsWithPeriod: cancelAt !== null,
  };
}

/**
 * Maps Stripe's statuses to those of the port. `unpaid` and `paused` grant nothing for long and can be paid again, like
 * `past_due`; an unknown status is treated the same, so that no customer buys a second subscription beside it.
 */
const statuses: Readonly<Record<string, ProviderSubscription['status']>> = {
  incomplete: 'pending',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'ended',
};
