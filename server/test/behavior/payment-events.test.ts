import type { SubscriptionChange } from '@holdfast/test-support/stand-ins/stripe-state.ts';
import { expect } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import { billingEmails, levelOf, openShop, type Shop, subscriptionOf, shopTest as test } from '../harness/shop.ts';
import { subscribed, subscriptionRowOf } from '../harness/subscribers.ts';

const failed = 'A payment for your Holdfast plan failed';

const send = (shop: Shop, body: string, headers: Record<string, string> = {}) =>
  fetch(shop.eventsUrl, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });

test('an event applies the changes at the provider', async ({ shop }) => {
  const { person, id } = await subscribed(shop);
  shop.stripe.state.change(id, { price: 'price_power_yearly' });
  expect(await shop.stripe.delivered()).toEqual([200]);
  expect(await levelOf(person)).toBe('Power');
  shop.stripe.state.change(id, { cancel_at_period_end: true });
  await shop.stripe.delivered();
  expect(await subscriptionOf(person)).toMatchObject({ level: 'Power', status: 'active', ends_with_period: true });
  shop.stripe.state.change(id, { status: 'canceled' });
  await shop.stripe.delivered();
  expect(await levelOf(person)).toBe('Free');
  expect(await subscriptionOf(person)).toBeNull();
});

test('the same event 100 times at once has one effect', async ({ shop }) => {
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const event = shop.stripe.state.change(id, { status: 'past_due' });
  // Stripe repeats those that a busy machine refuses with 503.
  const deliver = () => expect.poll(() => shop.stripe.deliver(shop.eventsUrl, event)).toBe(200);
  await Promise.all(Array.from({ length: 100 }, deliver));
  expect(await billingEmails(shop, person)).toEqual([failed]);
  expect(await levelOf(person)).toBe('Basic');
  const noted = await shop.server.context.db
    .selectFrom('payment_events')
    .selectAll()
    .where('id', '=', event.id)
    .execute();
  expect(noted).toHaveLength(1);
});

test('a handled event causes no further request to the provider', async ({ shop }) => {
  const { id } = await subscribed(shop);
  const event = shop.stripe.state.change(id, { price: 'price_power_yearly' });
  await shop.stripe.delivered();
  const calls = shop.stripe.calls.length;
  expect(await shop.stripe.deliver(shop.eventsUrl, event)).toBe(200);
  expect(shop.stripe.calls).toHaveLength(calls);
});

test('an event whose handling failed is handled when it is delivered again', async ({ shop }) => {
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const event = shop.stripe.state.change(id, { price: 'price_power_yearly' });
  shop.stripe.sufferAlways(500);
  expect(await shop.stripe.deliver(shop.eventsUrl, event)).toBe(503);
  expect(await levelOf(person)).toBe('Basic');
  shop.stripe.sufferAlways(null);
  expect(await shop.stripe.deliver(shop.eventsUrl, event)).toBe(200);
  expect(await levelOf(person)).toBe('Power');
});

test('a forged, altered or late event is refused and changes nothing', async ({ shop }) => {
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const event = shop.stripe.state.change(id, { status: 'canceled' });
  const altered = event.body.replace('deleted', 'updated');
  const statuses = [
    await shop.stripe.deliver(shop.eventsUrl, event, { secret: 'whsec_other' }),
    await shop.stripe.deliver(shop.eventsUrl, event, { body: altered }),
    await shop.stripe.deliver(shop.eventsUrl, event, { age: minutes(6) }),
    await shop.stripe.deliver(shop.eventsUrl, event, { body: '' }),
    (await send(shop, event.body)).status,
    (await send(shop, event.body, { 'Stripe-Signature': 'nonsense' })).status,
    (await send(shop, event.body, { 'Stripe-Signature': 't=1,v1=', 'Content-Type': 'text/plain' })).status,
  ];
  expect(statuses).toEqual(statuses.map(() => 400));
  const refused = await send(shop, event.body);
  expect(await refused.json()).toEqual({
    success: false,
    error: { code: 'INVALID_INPUT', message: expect.any(String) },
  });
  expect(await levelOf(person)).toBe('Basic');
  expect(shop.server.log.join()).not.toContain(event.id);
});

test('events of unknown types and unknown customers are accepted and ignored', async ({ shop }) => {
  const { person } = await subscribed(shop);
  const calls = shop.stripe.calls.length;
  shop.stripe.state.tell('product.created', { id: 'prod_1', object: 'product' });
  shop.stripe.state.tell('invoice.paid', { id: 'in_1', object: 'invoice', customer: 'cus_of_nobody' });
  shop.stripe.state.tell('invoice.paid', { id: 'in_2', object: 'invoice', customer: null });
  expect(await shop.stripe.delivered()).toEqual([200, 200, 200]);
  expect(shop.stripe.calls.slice(calls)).toEqual([]);
  expect(await levelOf(person)).toBe('Basic');
  expect(shop.server.log.filter((line) => line.includes('cus_of_nobody'))).toHaveLength(1);
});

test('the state in an event is ignored, for any version, mode or account', async ({ shop }) => {
  const { person, id, customer } = await subscribed(shop);
  const { body } = shop.stripe.state.tell('customer.subscription.updated', { id, object: 'subscription', customer });
  await shop.stripe.delivered();
  const claimed = { id, object: 'subscription', customer, status: 'active', plan: { id: 'price_power_yearly' } };
  const others = [
    { api_version: '2014-03-28', data: { object: claimed, previous_attributes: { plan: null } } },
    { livemode: true, data: { object: claimed } },
    { account: 'acct_of_another', data: { object: claimed } },
    { account: 'acct_of_another', data: { object: { ...claimed, customer: 'cus_of_theirs' } } },
    { type: 'customer.subscription.deleted', data: { object: { ...claimed, status: 'canceled' } } },
  ].map((other, at) => ({
    id: `evt_other${at}`,
    type: 'any',
    body: JSON.stringify({ ...(JSON.parse(body) as object), id: `evt_other${at}`, ...other }),
  }));
  for (const event of others) expect(await shop.stripe.deliver(shop.eventsUrl, event)).toBe(200);
  expect(await levelOf(person)).toBe('Basic');
  // An event of the kind that only contains a reference to the object.
  const thin = { id: 'evt_thin', type: 'any', body: JSON.stringify({ id: 'evt_thin', object: 'v2.core.event' }) };
  expect(await shop.stripe.deliver(shop.eventsUrl, thin)).toBe(400);
});

test('an outdated snapshot is dropped', async ({ shop }) => {
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const held = Promise.withResolvers<void>();
  // The first read returns the previous state, and its response arrives after the second one.
  const first = shop.stripe.state.change(id, { cancel_at_period_end: true });
  shop.stripe.suffer({ answeredLate: held.promise });
  const slow = shop.stripe.deliver(shop.eventsUrl, first);
  await expect.poll(async () => (await subscriptionRowOf(shop, person)).snapshots_begun).toBeGreaterThan(2);
  await expect.poll(() => shop.stripe.held).toBe(1);
  const second = shop.stripe.state.change(id, { price: 'price_power_yearly' });
  expect(await shop.stripe.deliver(shop.eventsUrl, second)).toBe(200);
  expect(await levelOf(person)).toBe('Power');
  held.resolve();
  expect(await slow).toBe(200);
  expect(await levelOf(person)).toBe('Power');
});

test.each<[string, SubscriptionChange]>([
  ['a cheaper unlisted price', { price: 'price_power_monthly' }],
  ['a dearer unlisted price', { price: 'price_of_a_new_plan' }],
  ['an unlisted price beside a listed one', { items: ['power', 'basic'].map((plan) => [`price_${plan}_monthly`, 1]) }],
  ['no quantity', { items: [['price_basic_monthly', 0]] }],
  ['nothing', { items: [] }],
])('a subscription changed to %s is no plan and an alarm, at its event and every night', async (_name, change) => {
  await using shop = await openShop({ STRIPE_PRICES: 'basic_monthly=price_basic_monthly' });
  const { person, id } = await subscribed(shop);
  const alarms = () => shop.server.log.filter((line) => line.includes('ALARM') && line.includes('STRIPE_PRICES lacks'));
  shop.stripe.deliverTo(null);
  shop.stripe.state.change(id, change);
  shop.server.clock.advance(minutes(1));
  await shop.server.runJob('reconcile-subscriptions');
  expect([await levelOf(person), alarms().length]).toEqual(['Free', 1]);
  shop.stripe.deliverTo(shop.eventsUrl);
  shop.stripe.state.change(id, change);
  await shop.stripe.delivered();
  expect([await levelOf(person), alarms().length]).toEqual(['Free', 2]);
  expect(await subscriptionOf(person)).toMatchObject({ level: null, period: null, status: 'active' });
  expect(await shop.visit(person.browser, 'basic_monthly')).toContain('/portal/');
  shop.stripe.state.change(id, { price: 'price_basic_monthly' });
  await shop.stripe.delivered();
  expect(await levelOf(person)).toBe('Basic');
});
