import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Stripe } from 'stripe';
import type { Offer } from '@holdfast/contract/src/plans.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Payments, PaymentsUnavailable, UnknownCustomer } from './payments.ts';
import { readStripeEvent } from './stripe-event.ts';
import { createStripeHttp, type StripeLimits } from './stripe-http.ts';
import { readStripeSubscription } from './stripe-subscription.ts';

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The first of an offer is sold; subscriptions to the others still count. */
  readonly prices: readonly { readonly id: string; readonly offer: Offer }[];
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly limits?: StripeLimits;
}

const usualLimits: StripeLimits = { connectMs: 3_000, tryMs: 8_000, totalMs: 20_000 };

/** Stripe: Checkout to buy, its customer portal to manage. */
export function openStripe(options: StripeOptions): Payments {
  const { prices, clock, webhookSecret, limits = usualLimits } = options;
  const ask = createAsk(options, limits);
  const offers = prices
    .map(({ offer }) => offer)
    .filter((offer, at, all) => all.findIndex((each) => isSame(each, offer)) === at);
  return {
    offers,
    customerFor: ({ accountId, email, before }) =>
      ask(async (stripe) => {
        // One that was made before, also when its id was lost here with a backup.
        const namesakes = stripe.customers.list({ email, limit: 100 });
        for await (const customer of namesakes) if (customer.metadata['account'] === accountId) return customer.id;
        const made = await stripe.customers.create(
          { email, metadata: { account: accountId } },
          { idempotencyKey: `holdfast customer ${accountId} after ${before}` },
        );
        return made.id;
      }),
    checkout: (customer, offer, back) =>
      ask(async (stripe) => {
        const price = prices.find((each) => isSame(each.offer, offer))?.id;
        if (price === undefined) throw new Error(`${offer.level} ${offer.period} is not for sale`);
        for await (const session of stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })) {
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
        let closed = 0;
        for await (const { id } of stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })) {
          await expire(stripe, id);
          closed += 1;
        }
        return closed;
      }, customer),
    portal: (customer, returnTo) =>
      ask(
        async (stripe) => (await stripe.billingPortal.sessions.create({ customer, return_url: returnTo })).url,
        customer,
      ),
    subscriptions: (customer) =>
      ask(async (stripe) => {
        const found = [];
        for await (const each of stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))
          found.push(readStripeSubscription(each, prices));
        return found;
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

const isSame = (a: Offer, b: Offer): boolean => a.level === b.level && a.period === b.period;

/** One that was paid in this very moment cannot be closed, and need not be. */
async function expire(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === 'open') throw error;
  }
}

type Ask = <T>(question: (stripe: Stripe) => Promise<T>, customerId?: string) => Promise<T>;

/** Each promise of the port has a client of its own, which ends with its time. The connections are shared. */
function createAsk({ secretKey, apiUrl }: StripeOptions, limits: StripeLimits): Ask {
  const agents = { http: new PlainAgent({ keepAlive: true }), https: new SecureAgent({ keepAlive: true }) };
  const { hostname, port, protocol } = new URL(apiUrl);
  return async (question, customerId) => {
    const signal = AbortSignal.timeout(limits.totalMs);
    const stripe = new Stripe(secretKey, {
      host: hostname,
      port: port || (protocol === 'https:' ? 443 : 80),
      protocol: protocol === 'https:' ? 'https' : 'http',
      httpClient: createStripeHttp({ agents, limits, signal }),
      // The SDK waits between them, longer each time and never equally long.
      maxNetworkRetries: 2,
      telemetry: false,
    });
    try {
      return await question(stripe);
    } catch (error) {
      if (customerId !== undefined && isMissing(error) && isAboutCustomer(error))
        throw new UnknownCustomer(customerId, withoutRequest(error));
      throw new PaymentsUnavailable(withoutRequest(error));
    }
  };
}

const isMissing = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';

const isAboutCustomer = ({ param }: Stripe.errors.StripeError): boolean => param === 'customer';

/** What the log may hold: an error of the SDK carries the headers and the raw answer. */
function withoutRequest(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { type, code, statusCode, requestId, detail } = error as Partial<Stripe.errors.StripeError>;
  const facts = [type, code, statusCode, requestId].filter((fact) => fact !== undefined).join(' ');
  const cause = detail instanceof Error ? `: ${detail.message}` : '';
  return new Error(`${error.message}${cause}${facts === '' ? '' : ` (${facts})`}`);
}
