import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { days, minutes } from '../../lib/clock.ts';
import { paymentsConformance, type PaymentsEngine } from './conformance.ts';
import { ForgedEvent, NotForSale, type Payments, PaymentsUnavailable, UnknownCustomer } from './payments.ts';
import { openStripe, type StripeOptions } from './stripe.ts';
import type { StandInPrice } from '@holdfast/test-support/stand-ins/stripe-state.ts';
import { startStripe, type StripeStandIn, type StripeTrouble } from '@holdfast/test-support/stand-ins/stripe.ts';
import '../../../test/harness/short-stripe-pauses.ts';

const buyer = { accountId: 'ada', email: 'ada@example.com', serviceId: null, before: null };
const back = { paid: 'https://files.example.com/paid', canceled: 'https://files.example.com/canceled' };
const basic = { level: 'basic', period: 'monthly' } as const;
const monthly = { interval: 'month', interval_count: 1, usage_type: 'licensed' };

interface StripeEngine extends PaymentsEngine {
  readonly stripe: StripeStandIn;
  readonly clock: { time: number };
}

async function openEngine(options: Partial<StripeOptions> = {}): Promise<StripeEngine> {
  const clock = { time: Date.now(), now: () => clock.time };
  const stripe = await startStripe({ clock });
  const { payments: config, plans } = readConfig(stripe.environment);
  if (config.engine !== 'stripe') throw new Error('it is not configured');
  const limits = { tryMs: 1_000, totalMs: 3_000 };
  return {
    stripe,
    clock,
    payments: openStripe({ ...config, plans, clock, limits, ...options }),
    async pay(url) {
      const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
      await answer.arrayBuffer();
      return answer.headers.get('Location') === back.paid;
    },
    [Symbol.asyncDispose]: () => stripe[Symbol.asyncDispose](),
  };
}

paymentsConformance(openEngine);

const newCustomer = ({ payments }: { payments: Payments }) => payments.customerFor(buyer);

test.each<[StripeTrouble, StripeTrouble]>([
  [500, 500],
  ['dropped', 500],
  ['done and dropped', 'cut short'],
])('a call succeeds after two failures and takes effect once: %s, %s', async (first, second) => {
  await using engine = await openEngine();
  const customer = await newCustomer(engine);
  engine.stripe.suffer({ lateMs: 0 }, first, second);
  await engine.payments.checkout(customer, basic, back);
  expect([...engine.stripe.state.sessions.values()]).toHaveLength(1);
});

test.each<StripeTrouble>([500, 429, 402, 404, 'dropped', 'silent', 'not JSON'])(
  'a provider that only responds with %s is unavailable after at most three calls',
  async (trouble) => {
    await using engine = await openEngine({ limits: { tryMs: 300, totalMs: 1_000 } });
    const customer = await newCustomer(engine);
    engine.stripe.sufferAlways(trouble);
    const before = engine.stripe.calls.length;
    const failure = await engine.payments.subscriptions(customer).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PaymentsUnavailable);
    expect(failure).not.toBeInstanceOf(UnknownCustomer);
    expect(engine.stripe.calls.length - before).toBeLessThanOrEqual(3);
  },
);

test('the error of a failed call contains no key', async () => {
  await using engine = await openEngine({ secretKey: 'sk_test_wrong' });
  const failure = await engine.payments.customerFor(buyer).catch((error: unknown) => error as Error);
  expect(failure).toBeInstanceOf(PaymentsUnavailable);
  expect(String((failure as Error).cause)).toContain('401');
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('sk_test_wrong');
});

test('all subscriptions of a customer are read, across pages', async () => {
  await using engine = await openEngine();
  const customer = await newCustomer(engine);
  for (let i = 0; i < 101; i += 1) engine.stripe.state.subscribe(customer, 'price_starter_monthly', 'canceled');
  expect(await engine.payments.subscriptions(customer)).toHaveLength(101);
});

test.each([
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'past_due'],
  ['incomplete', 'pending'],
  ['a word of next year', 'past_due'],
])("Stripe's %s is %s", async (status, ours) => {
  await using engine = await openEngine();
  const customer = await newCustomer(engine);
  engine.stripe.state.subscribe(customer, 'price_starter_monthly', status);
  expect(await engine.payments.subscriptions(customer)).toMatchObject([{ status: ours }]);
});

test('the end of a plan is read from both fields that the portal sets', async () => {
  await using engine = await openEngine();
  const customer = await newCustomer(engine);
  const { id } = engine.stripe.state.subscribe(customer, 'price_starter_yearly');
  const ends = Math.floor(engine.clock.time / 1000) * 1000 + days(365);
  engine.stripe.state.change(id, { cancel_at_period_end: true });
  expect(await engine.payments.subscriptions(customer)).toMatchObject([{ endsWithPeriod: true, periodEndsAt: ends }]);
  engine.stripe.state.change(id, { cancel_at_period_end: false, cancel_at: ends / 1000 - 60 });
  expect(await engine.payments.subscriptions(customer)).toMatchObject([
    { endsWithPeriod: true, periodEndsAt: ends - minutes(1) },
  ]);
});

test('of several items the best plan is read, with the number of paid plans, unless one is unknown', async () => {
  await using engine = await openEngine();
  const customer = await newCustomer(engine);
  const { id } = engine.stripe.state.subscribe(customer, 'price_starter_monthly');
  const items = async (...all: (readonly [string, number | undefined])[]) => {
    engine.stripe.state.change(id, { items: all });
    const [read] = await engine.payments.subscriptions(customer);
    return [read?.offer?.level, read?.times, (read?.periodEndsAt ?? 0) > engine.clock.time + days(300)];
  };
  expect(await items(['price_starter_monthly', 1], ['price_power_yearly', 1])).toEqual(['power', 2, true]);
  expect(await items(['price_power_yearly', 0], ['price_basic_monthly', 1])).toEqual(['basic', 1, false]);
  expect(await items(['price_power_yearly', 0])).toEqual([undefined, 0, true]);
  expect(await items(['price_power_yearly', undefined])).toEqual([undefined, 0, true]);
  expect(await items()).toEqual([undefined, 0, false]);
  for (const unknown of [
    ['price_of_an_extra', 1],
    ['price_power_yearly', undefined],
  ] as const) {
    expect(await items(['price_basic_monthly', 2], unknown)).toEqual([undefined, 0, false]);
    expect((await items(unknown, ['price_basic_monthly', 2])).slice(0, 2)).toEqual([undefined, 0]);
  }
});

test('a customer deleted at Stripe has no subscriptions or checkouts, and is replaced', async () => {
  await using engine = await openEngine();
  const customer = await newCustomer(engine);
  await engine.pay(await engine.payments.checkout(customer, basic, back));
  engine.stripe.state.deleteCustomer(customer);
  expect(await engine.payments.subscriptions(customer)).toEqual([]);
  expect(await engine.payments.closeCheckouts(customer)).toBe(0);
  await expect(engine.payments.checkout(customer, basic, back)).rejects.toThrow(UnknownCustomer);
  const next = await engine.payments.customerFor({ ...buyer, before: customer });
  expect(next).not.toBe(customer);
  expect(await engine.payments.checkout(next, basic, back)).toContain('/pay/');
});

test.each<[string, (price: StandInPrice) => void, string]>([
  ['another amount', (price) => void (price.unit_amount = 99), 'is $0.99 a month'],
  ['a currency without cents', (price) => void (price.currency = 'jpy'), 'is ¥299 a month'],
  ['another period', (price) => void (price.recurring = { ...monthly, interval: 'week' }), 'is $2.99 a week'],
  ['one payment', (price) => void (price.recurring = null), 'is to be paid once'],
  ['no amount', (price) => void (price.unit_amount = null), 'is no fixed amount'],
  ['what was used', (price) => void (price.recurring = { ...monthly, usage_type: 'metered' }), 'is no fixed amount'],
  ['what is archived', (price) => void (price.active = false), 'is archived'],
])('nothing is sold for %s', async (_name, spoil, problem) => {
  await using engine = await openEngine();
  const price = engine.stripe.state.prices.get('price_basic_monthly');
  if (price) spoil(price);
  const customer = await newCustomer(engine);
  await expect(engine.payments.checkout(customer, basic, back)).rejects.toThrow(NotForSale);
  expect(engine.stripe.state.sessions.size).toBe(0);
  expect(await engine.payments.checkPrices()).toEqual([
    { id: 'price_basic_monthly', offer: basic, problem: expect.stringContaining(problem) },
  ]);
  expect(engine.payments.offers).toHaveLength(7);
  expect(engine.payments.offers).not.toContainEqual(basic);
});

test('an event is accepted with a valid signature, for five minutes', async () => {
  await using engine = await openEngine();
  const event = engine.stripe.state.tell('invoice.paid', { id: 'in_1', object: 'invoice', customer: 'cus_1' });
  const paid = { invoice: 'in_1', at: Math.floor(engine.clock.time / 1000) * 1000 };
  const { Stripe } = await import('stripe');
  const { STRIPE_WEBHOOK_SECRET: secret = '' } = engine.stripe.environment;
  const sign = (age: number, payload = event.body, by = secret) =>
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: by,
      timestamp: Math.floor((engine.clock.time - age) / 1000),
    });
  const read =
    (signature: string | undefined, body = event.body) =>
    () =>
      engine.payments.readEvent(Buffer.from(body), signature);
  expect(read(sign(0))()).toEqual({ id: event.id, type: 'invoice.paid', customerId: 'cus_1', paid });
  expect(read(sign(minutes(4)))()).toMatchObject({ id: event.id });
  for (const wrong of [
    read(''),
    read(sign(0, event.body, 'whsec_other')),
    read(sign(minutes(6))),
    read(sign(0), event.body.replace('cus_1', 'cus_2')),
    read(sign(0).replace('v1', 'v0')),
    read(sign(0, '{}'), '{}'),
  ])
    expect(wrong).toThrow(ForgedEvent);
});

test.each([
  ['customer.deleted', { object: 'customer', id: 'cus_7' }, 'cus_7'],
  ['checkout.session.completed', { object: 'checkout.session', customer: { id: 'cus_8' } }, 'cus_8'],
  ['invoice.paid', { object: 'invoice', customer: null }, null],
  ['customer.updated', { object: 'customer', id: 'cus_9' }, null],
])('%s is read with the customer that it changes', async (type, object, customerId) => {
  await using engine = await openEngine();
  const event = engine.stripe.state.tell(type, object);
  const { Stripe } = await import('stripe');
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: event.body,
    secret: engine.stripe.environment['STRIPE_WEBHOOK_SECRET'] ?? '',
    timestamp: Math.floor(engine.clock.time / 1000),
  });
  expect(engine.payments.readEvent(Buffer.from(event.body), signature)).toMatchObject({
    id: event.id,
    type,
    customerId,
    paid: null,
  });
});
