import type { Offer } from '@holdfast/contract/src/plans.ts';
import type { Stripe } from 'stripe';
import type { ProviderSubscription } from './payments.ts';

type Prices = readonly { readonly id: string; readonly offer: Offer }[];

export function readStripeSubscription(subscription: Stripe.Subscription, prices: Prices): ProviderSubscription {
  const items = subscription.items.data;
  const offers = items.flatMap((item) => prices.find(({ id }) => id === item.price.id)?.offer ?? []);
  const periodEnds = Math.min(...items.map((item) => item.current_period_end));
  // The portal says it in one of two ways, by how the subscription is billed.
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEnds : null);
  return {
    id: subscription.id,
    offer: offers[0] ?? null,
    status: statuses[subscription.status] ?? 'past_due',
    createdAt: subscription.created * 1000,
    periodEndsAt: (cancelAt ?? periodEnds) * 1000,
    endsWithPeriod: cancelAt !== null,
  };
}

/**
 * Stripe's words in ours. `unpaid` and `paused` give nothing for long and can be paid again, like `past_due`; a status
 * that is new to us is taken for that too, so that nobody buys a second subscription beside it.
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
