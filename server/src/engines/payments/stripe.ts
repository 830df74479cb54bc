import type { Plans } from '@holdfast/contract/src/plans.ts';
import type { Stripe } from 'stripe';
import type { Clock } from '../../lib/clock.ts';
import type { Payments } from './payments.ts';
import { type AskOptions, createAsk, isMissing, isMissingCustomer } from './stripe-ask.ts';
import { allCustomers, customerFor, customersOf, findCustomer, retrieve } from './stripe-customers.ts';
import { readStripeEvent } from './stripe-event.ts';
import { openStripePrices, type StripePrice } from './stripe-prices.ts';
import { readStripeSubscription } from './stripe-subscription.ts';

export interface StripeOptions extends AskOptions {
  readonly webhookSecret: string;
  /** The first price of an offer is the one sold; subscriptions to the others still count. */
  readonly prices: readonly StripePrice[];
  /** The plans whose prices the pricing page shows. */
  readonly plans: Plans;
  readonly clock: Pick<Clock, 'steadyNow'>;
}

/** Stripe: Checkout to buy, its customer portal to manage. */
export function openStripe(options: StripeOptions): Payments {
  const { prices, plans, clock, webhookSecret } = options;
  const ask = createAsk(options);
  const list = openStripePrices(prices, plans);
  return {
    get offers() {
      return list.offers;
    },
    get wrongPrices() {
      return list.wrong;
    },
    checkPrices: () => ask((stripe) => list.checkAll(stripe)),
    customerFor: (buyer) => ask((stripe) => customerFor(stripe, buyer)),
    customer: (id) => ask((stripe) => findCustomer(stripe, id)),
    customers: (accountId) => (accountId === undefined ? allCustomers(ask) : customersOf(ask, accountId)),
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
        return all.map((each) => readStripeSubscription(each, prices));
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

/** Page size. */
const limit = 100;

/** Returns nothing for a customer deleted at Stripe, because the deletion ended their subscriptions. */
async function allOf<T>(stripe: Stripe, customer: string, list: AsyncIterable<T>): Promise<T[]> {
  try {
    const all: T[] = [];
    for await (const each of list) all.push(each);
    return all;
  } catch (error) {
    if (!isMissingCustomer(error)) throw error;
    const found = await retrieve(stripe, customer);
    if (found?.deleted !== true) throw error;
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
