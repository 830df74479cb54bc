import { type Plans, planLevels } from '@holdfast/contract/src/plans.ts';
import type { Stripe } from 'stripe';
import type { Clock } from '../../lib/clock.ts';
import type { CheckoutBuyer, PayingCustomer, Payments, ProviderSubscription } from './payments.ts';
import { type Ask, type AskOptions, createAsk, isMissing, isMissingCustomer } from './stripe-ask.ts';
import { readStripeEvent } from './stripe-event.ts';
import { openStripePrices, type StripePrice } from './stripe-prices.ts';

export interface StripeOptions extends AskOptions {
  readonly webhookSecret: string;
  /** The first price of an offer is the one sold; subscriptions to the others still count. */
  readonly prices: readonly StripePrice[];
  /** The plans whose prices the pricing page shows. */
  readonly plans: Plans;
  readonly clock: Pick<Clock, 'now'>;
}

/** Page size. */
const limit = 100;

/** Stripe: Checkout to buy, its customer portal to manage. */
export function openStripe(options: StripeOptions): Payments {
  const { prices, plans, clock, webhookSecret } = options;
  const ask = createAsk(options);
  const list = openStripePrices(prices, plans);
  return {
    get offers() {
      return list.offers();
    },
    get wrongPrices() {
      return list.wrong();
    },
    checkPrices: () => ask((stripe) => list.checkAll(stripe)),
    customerFor: (buyer) => ask((stripe) => customerFor(stripe, buyer)),
    payingCustomers: () => payingCustomers(ask),
    checkout: (customer, offer, back) =>
      ask(async (stripe) => {
        const price = await list.priceOf(stripe, offer);
        for await (const session of stripe.checkout.sessions.list({ customer, status: 'open', limit })) {
          if (session.metadata?.['price'] === price && session.url !== null) return session.url;
          await expire(stripe, session.id);
        }
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer,
          line_items: [{ price, quantity: 1 }],
          metadata: { price },
          success_url: back.paid,
          cancel_url: back.canceled,
        });
        if (session.url === null) throw new Error('the checkout has no address');
        return session.url;
      }, customer),
    closeCheckouts: (customer) =>
      ask(async (stripe) => {
        const open = await allOf(stripe, customer, stripe.checkout.sessions.list({ customer, status: 'open', limit }));
        for (const { id } of open) await expire(stripe, id);
        return open.length;
      }, customer),
    portal: (customer, returnTo) =>
      ask(
        async (stripe) => (await stripe.billingPortal.sessions.create({ customer, return_url: returnTo })).url,
        customer,
      ),
    subscriptions: (customer) =>
      ask(async (stripe) => {
        const all = await allOf(stripe, customer, stripe.subscriptions.list({ customer, status: 'all', limit }));
        return all.map((each) => readSubscription(each, prices));
      }, customer),
    cancel: (id) =>
      ask(async (stripe) => {
        await stripe.subscriptions.cancel(id).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        });
      }),
    readEvent: (body, signature) => readStripeEvent({ webhookSecret, clock }, body, signature),
  };
}

/** Returns an existing customer, even if its id was lost here by restoring a backup, or creates a new one. */
async function customerFor(stripe: Stripe, { accountId, email, serviceId, before }: CheckoutBuyer): Promise<string> {
  for await (const { id, metadata } of stripe.customers.list({ email, limit })) {
    const isOthers = metadata['service'] && serviceId !== null && metadata['service'] !== serviceId;
    if (metadata['account'] === accountId && !isOthers) return id;
  }
  const made = await stripe.customers.create(
    { email, metadata: { account: accountId, ...(serviceId !== null && { service: serviceId }) } },
    { idempotencyKey: `holdfast customer ${accountId}${serviceId === null ? '' : ` of ${serviceId}`} after ${before}` },
  );
  return made.id;
}

/** Each page has its own time limit, because there may be thousands. */
async function* payingCustomers(ask: Ask): AsyncGenerator<PayingCustomer> {
  for (let after: string | undefined; ;) {
    const page = await ask((stripe) =>
      stripe.subscriptions.list({
        limit,
        expand: ['data.customer'],
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    for (const { customer, status } of page.data) {
      if (typeof customer === 'string' || customer.deleted || !isPaying(status)) continue;
      const { account, service } = customer.metadata;
      if (account) yield { id: customer.id, accountId: account, serviceId: service || null };
    }
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) return;
  }
}

/** Returns nothing for a customer deleted at Stripe, because the deletion ended their subscriptions. */
async function allOf<T>(stripe: Stripe, customer: string, list: AsyncIterable<T>): Promise<T[]> {
  try {
    const all: T[] = [];
    for await (const each of list) all.push(each);
    return all;
  } catch (error) {
    if (!isMissingCustomer(error)) throw error;
    const found = await stripe.customers.retrieve(customer).catch((missing: unknown) => {
      throw isMissing(missing) ? error : missing;
    });
    if (!found.deleted) throw error;
    return [];
  }
}

/** A checkout that was paid at this very moment cannot be closed, and need not be. */
async function expire(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === 'open') throw error;
  }
}

/**
 * `unpaid` and `paused` grant nothing for long and can be paid again, like `past_due`; an unknown status is treated the
 * same, so that no customer buys a second subscription beside it.
 */
const statuses: Readonly<Record<string, ProviderSubscription['status']>> = {
  incomplete: 'pending',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  canceled: 'ended',
};

const isPaying = (status: string): boolean => !['pending', 'ended'].includes(statuses[status] ?? 'past_due');

function readSubscription(subscription: Stripe.Subscription, prices: readonly StripePrice[]): ProviderSubscription {
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
