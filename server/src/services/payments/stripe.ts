import { type Offer, offerName, type Plans, planLevels } from '@holdfast/contract/src/plans.ts';
import { Stripe } from 'stripe';
import type { StripeConfig } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  type CheckoutBuyer,
  NotForSale,
  type PayingCustomer,
  type Payments,
  PaymentsUnavailable,
  type ProviderSubscription,
  UnknownCustomer,
  type WrongPrice,
} from './payments.ts';
import { readEvent } from './stripe-events.ts';

export interface StripeOptions extends Omit<StripeConfig, 'engine'> {
  readonly plans: Plans;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: { readonly tryMs: number; readonly totalMs: number };
}

type StripePrices = StripeConfig['prices'];
type StripePrice = StripePrices[number];

const limit = 100;

export function openStripe(options: StripeOptions): Payments {
  const { prices, plans } = options;
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
    portal: (customer, return_url) =>
      ask(async (stripe) => (await stripe.billingPortal.sessions.create({ customer, return_url })).url, customer),
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
    readEvent: (body, signature) => readEvent(options, body, signature),
  };
}

type Ask = <T>(question: (stripe: Stripe) => Promise<T>, customerId?: string) => Promise<T>;

function createAsk({ secretKey, apiUrl, limits = { tryMs: 8_000, totalMs: 20_000 } }: StripeOptions): Ask {
  const { hostname, port, protocol } = new URL(apiUrl);
  const secure = protocol === 'https:';
  return async (question, customerId) => {
    const over = AbortSignal.timeout(limits.totalMs);
    const fetchWhole: typeof fetch = async (input, init) => {
      const signal = AbortSignal.any([over, init?.signal ?? over]);
      const answer = await fetch(input, { ...init, redirect: 'manual', signal });
      // The SDK retries what fails here, and not what it reads later.
      return new Response(await answer.arrayBuffer(), answer);
    };
    const stripe = new Stripe(secretKey, {
      host: hostname,
      port: port || (secure ? 443 : 80),
      protocol: secure ? 'https' : 'http',
      httpClient: Stripe.createFetchHttpClient(fetchWhole),
      timeout: limits.tryMs,
      maxNetworkRetries: 2,
      telemetry: false,
    });
    try {
      return await question(stripe);
    } catch (error) {
      if (error instanceof NotForSale) throw error;
      if (isRefusal(error)) throw new PaymentsUnavailable(withoutRequest(error), keyRefused);
      if (customerId !== undefined && isMissingCustomer(error))
        throw new UnknownCustomer(customerId, withoutRequest(error));
      throw new PaymentsUnavailable(withoutRequest(error));
    }
  };
}

const keyRefused = 'The payment provider refuses STRIPE_SECRET_KEY: it is wrong, or revoked, or may do too little';

const isRefusal = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError;

const isMissing = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';

const isMissingCustomer = (error: unknown): boolean => isMissing(error) && error.param === 'customer';

/** The parts of an SDK error that the log may contain: it also has the headers and the raw response. */
function withoutRequest(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { type, code, statusCode, requestId, detail } = error as Partial<Stripe.errors.StripeError>;
  const facts = [type, code, statusCode, requestId].filter((fact) => fact !== undefined).join(' ');
  const cause = detail instanceof Error ? `: ${detail.message}` : '';
  return new Error(`${error.message}${cause}${facts === '' ? '' : ` (${facts})`}`);
}

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

/** A customer deleted at Stripe has no subscriptions. */
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

/** Any other can be paid again, like `past_due`, so that no customer buys a second subscription beside it. */
const statuses: Readonly<Record<string, ProviderSubscription['status']>> = {
  incomplete: 'pending',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  canceled: 'ended',
};

const isPaying = (status: string): boolean => !['pending', 'ended'].includes(statuses[status] ?? 'past_due');

function readSubscription(subscription: Stripe.Subscription, prices: StripePrices): ProviderSubscription {
  const items = subscription.items.data;
  const invoice = subscription.latest_invoice;
  const known = items.flatMap((item) => {
    const offer = prices.find(({ id }) => id === item.price.id)?.offer;
    // A price by usage has no quantity.
    const times = item.quantity ?? -1;
    return offer && times >= 0 ? [{ item, offer, times }] : [];
  });
  const plans = (known.length === items.length ? known : [])
    .filter(({ times }) => times > 0)
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
    latestInvoice: typeof invoice === 'string' ? invoice : (invoice?.id ?? null),
  };
}

/** A price never changes its amount, so it is checked once. */
function openStripePrices(all: StripePrices, plans: Plans) {
  const sold = [...Map.groupBy(all, ({ offer }) => offerName(offer)).values()].flatMap(([first]) => first ?? []);
  /** By price id; null means that the price is right. */
  const problems = new Map<string, string | null>();
  const check = async (stripe: Stripe, price: StripePrice) => {
    const { monthlyCents, yearlyCents } = plans[price.offer.level];
    const cents = price.offer.period === 'monthly' ? monthlyCents : yearlyCents;
    problems.set(price.id, await problemOf(stripe, price, cents));
  };
  const wrong = (): WrongPrice[] =>
    sold.flatMap((price) => {
      const problem = problems.get(price.id);
      return typeof problem === 'string' ? [{ ...price, problem }] : [];
    });
  return {
    wrong,
    offers: () => sold.filter(({ id }) => typeof problems.get(id) !== 'string').map(({ offer }) => offer),
    async checkAll(stripe: Stripe): Promise<readonly WrongPrice[]> {
      await Promise.all(sold.map((price) => check(stripe, price)));
      return wrong();
    },
    async priceOf(stripe: Stripe, offer: Offer): Promise<string> {
      const price = sold.find((each) => offerName(each.offer) === offerName(offer));
      if (!price) throw new NotForSale(`${offerName(offer)} has no price`);
      if (!problems.has(price.id)) await check(stripe, price);
      const problem = problems.get(price.id);
      if (typeof problem === 'string') throw new NotForSale(problem);
      return price.id;
    },
  };
}

async function problemOf(stripe: Stripe, { id, offer }: StripePrice, cents: number): Promise<string | null> {
  const said = `The price ${id} of ${offerName(offer)}`;
  const price = await stripe.prices.retrieve(id).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return null;
  });
  if (!price) return `${said} is unknown to the payment provider`;
  if (!price.active) return `${said} is archived at the payment provider`;
  const wanted = inWords(cents, 'usd', offer.period === 'monthly' ? 'month' : 'year', 1);
  const found = amountOf(price);
  return found === wanted ? null : `${said} is ${found} at the payment provider, but ${wanted} on the pricing page`;
}

function amountOf({ unit_amount: amount, currency, recurring, transform_quantity }: Stripe.Price): string {
  if (!recurring) return 'to be paid once';
  if (recurring.usage_type !== 'licensed' || amount === null || transform_quantity) return 'no fixed amount';
  return inWords(amount, currency, recurring.interval, recurring.interval_count);
}

function inWords(amount: number, currency: string, interval: string, count: number): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(amount / 10 ** digits)} a ${count === 1 ? '' : `${count} × `}${interval}`;
}
