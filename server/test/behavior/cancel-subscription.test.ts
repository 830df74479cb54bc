import { expect } from 'vitest';
import { cancelSubscription, findDueCancellations } from '../../src/billing/cancellation.ts';
import { checkProvider } from '../../src/billing/provider.ts';
import { hours, minutes } from '../../src/lib/clock.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { payAt, type Shop, shopTest as test } from '../harness/shop.ts';
import { startServer } from '../harness/start-server.ts';

const live = ({ stripe }: Shop) =>
  [...stripe.state.subscriptions.values()].filter(({ status }) => status !== 'canceled');
const open = ({ stripe }: Shop) => [...stripe.state.sessions.values()].filter(({ status }) => status === 'open');
const waiting = async ({ server }: Shop) => {
  const rows = await server.context.db
    .selectFrom('subscriptions')
    .select(['cancel_attempts'])
    .where('cancel_requested_at', 'is not', null)
    .execute();
  return rows.map(({ cancel_attempts }) => cancel_attempts);
};

async function subscriptionFor(shop: Shop, person: SignedIn) {
  const customer = await shop.customerOf(person);
  const own = live(shop).find((each) => each.customer === customer);
  if (!own) throw new Error('nothing was bought');
  return own;
}

async function buyer(shop: Shop) {
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, 'basic_monthly');
  return person;
}

test('deleting an account cancels its subscription at once, without waiting for the provider', async ({ shop }) => {
  const person = await buyer(shop);
  const held = Promise.withResolvers<void>();
  shop.stripe.sufferAlways({ answeredLate: held.promise });
  await person.browser.client.deleteAccount();
  expect(await waiting(shop)).toHaveLength(1);
  shop.stripe.sufferAlways(null);
  held.resolve();
  await expect.poll(() => waiting(shop)).toEqual([]);
  expect(live(shop)).toEqual([]);
  // After the cancellation the subscription is read again.
  const ended = shop.stripe.calls.findIndex((each) => each.startsWith('DELETE /v1/subscriptions/'));
  expect(ended).toBeGreaterThan(0);
  expect(shop.stripe.calls.slice(ended)).toContain('GET /v1/subscriptions');
  const row = await shop.server.context.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'ended', cancel_requested_at: null });
});

test('a cancellation is retried at growing intervals until the provider confirms it', async ({ shop }) => {
  const { server, stripe } = shop;
  const person = await buyer(shop);
  stripe.sufferAlways(429);
  await person.browser.client.deleteAccount();
  await expect.poll(() => server.log.filter((line) => line.includes('will be retried')).length).toBe(1);
  expect(await server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 0 });
  expect(await waiting(shop)).toEqual([1]);
  for (let passed = 0; passed < hours(32); passed += minutes(15)) {
    server.clock.advance(minutes(15));
    await server.runJob('cancel-subscriptions');
  }
  const [attempts = 0] = await waiting(shop);
  expect(attempts).toBeGreaterThan(8);
  expect(attempts).toBeLessThan(25);
  expect(server.log.some((line) => line.includes('ALARM'))).toBe(true);
  stripe.sufferAlways(null);
  server.clock.advance(hours(6));
  expect(await server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 1 });
  expect([live(shop), await waiting(shop)]).toEqual([[], []]);
  expect(await server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 0 });
});

test('an unconfirmed cancellation is retried, and found to have succeeded', async ({ shop }) => {
  const { server, stripe } = shop;
  const person = await buyer(shop);
  stripe.deliverTo(null);
  // The checkouts, the subscriptions and the cancellation succeed, and its confirmation fails.
  stripe.suffer({ lateMs: 0 }, { lateMs: 0 }, { lateMs: 0 }, 429);
  await person.browser.client.deleteAccount();
  await expect.poll(() => server.log.filter((line) => line.includes('will be retried')).length).toBe(1);
  expect(live(shop)).toEqual([]);
  expect(await waiting(shop)).toEqual([1]);
  server.clock.advance(minutes(2));
  expect(await server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 1 });
  expect(await waiting(shop)).toEqual([]);
});

test('the open checkout of a deleted account can no longer be paid', async ({ shop, person }) => {
  const checkout = await shop.visit(person.browser, 'basic_monthly');
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  expect(open(shop)).toEqual([]);
  expect(await payAt(checkout)).toBeNull();
  expect(live(shop)).toEqual([]);
});

test('a subscription that is paid after the account was deleted is canceled at its event', async ({ shop, person }) => {
  await shop.visit(person.browser, 'basic_monthly');
  const customer = await shop.customerOf(person);
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  shop.stripe.state.subscribe(customer, 'price_basic_monthly');
  shop.stripe.state.subscribe(customer, 'price_power_monthly', 'incomplete');
  await shop.stripe.delivered();
  await expect.poll(() => live(shop)).toEqual([]);
  await expect.poll(() => waiting(shop)).toEqual([]);
});

const refunds = ({ server }: Shop) =>
  server.log.filter((line) => line.includes('ALARM') && line.includes('refund the payment'));

test('what is paid while a closed account waits for its cancellation is an alarm that says refund', async ({
  shop,
}) => {
  const { server, stripe } = shop;
  const [ada, ben, cleo, dan] = [await signUpAndIn(server), await buyer(shop), await buyer(shop), await buyer(shop)];
  const eve = await buyer(shop);
  const checkout = await shop.visit(ada.browser, 'power_yearly');
  const renewed = await subscriptionFor(shop, ben);
  const switched = await subscriptionFor(shop, cleo);
  const overdue = await subscriptionFor(shop, eve);
  stripe.state.change(overdue.id, { status: 'past_due' });
  await stripe.delivered();
  stripe.deliverTo(null);
  stripe.sufferAlways(500);
  for (const { browser } of [ada, ben, cleo, dan, eve]) await browser.client.deleteAccount();
  await expect.poll(async () => (await waiting(shop)).filter((attempts) => attempts === 1)).toHaveLength(5);
  await expect.poll(() => server.log.filter((line) => line.includes('will be retried'))).toHaveLength(5);
  stripe.sufferAlways(null);
  expect(await payAt(checkout)).toContain('checkout=paid');
  server.clock.advance(minutes(5));
  stripe.state.change(renewed.id, { price: 'price_basic_monthly' });
  stripe.state.change(switched.id, { price: 'price_power_monthly' });
  stripe.state.change(overdue.id, { status: 'active' });
  const paid = [(await subscriptionFor(shop, ada)).id, renewed.id, switched.id, overdue.id];
  // It must not overwrite what the account had when it was closed.
  await server.runJob('reconcile-subscriptions');
  expect(await server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 5 });
  expect([live(shop), await waiting(shop)]).toEqual([[], []]);
  expect(refunds(shop)).toHaveLength(4);
  for (const id of paid) expect(refunds(shop).join()).toContain(id);
});

test('a payment after an account was closed and canceled is one alarm, however often its event arrives', async ({
  shop,
  person,
}) => {
  await shop.visit(person.browser, 'basic_monthly');
  const customer = await shop.customerOf(person);
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  shop.stripe.state.subscribe(customer, 'price_basic_monthly', 'past_due');
  await shop.stripe.delivered();
  await expect.poll(() => live(shop)).toEqual([]);
  expect(refunds(shop)).toEqual([]);
  const { id } = shop.stripe.state.subscribe(customer, 'price_basic_monthly');
  shop.stripe.state.change(id, {});
  await shop.stripe.delivered();
  await expect.poll(() => live(shop)).toEqual([]);
  expect(refunds(shop)).toHaveLength(1);
  await shop.server.runJob('reconcile-subscriptions');
  expect(refunds(shop)).toHaveLength(1);
});

test('each invoice that a closed account left open is one alarm when it is paid, and none if it was free', async ({
  shop,
}) => {
  const { server, stripe } = shop;
  const person = await buyer(shop);
  const { id, customer } = await subscriptionFor(shop, person);
  const { state } = stripe;
  for (let month = 0; month < 2; month += 1) state.change(id, { status: 'past_due' });
  const unpaid = [...state.invoices.values()].filter(({ status }) => status === 'open');
  expect(unpaid).toHaveLength(2);
  await stripe.delivered();
  server.clock.advance(minutes(2));
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  state.tell('invoice.paid', { id: 'in_free', object: 'invoice', customer, amount_paid: 0 });
  await stripe.delivered();
  expect(refunds(shop)).toEqual([]);
  for (const invoice of unpaid) {
    state.payInvoice(invoice.id);
    state.tell('invoice.paid', invoice);
    expect(await stripe.delivered()).toEqual([200, 200]);
  }
  expect(refunds(shop)).toEqual(unpaid.map((each) => expect.stringContaining(each.id)));
});

test('what was paid before an account was closed is no alarm, however late its event arrives', async ({ shop }) => {
  const { server, stripe } = shop;
  const person = await buyer(shop);
  server.clock.advance(minutes(2));
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  const paid = stripe.state.events.find(({ type }) => type === 'invoice.paid');
  await server.context.db.deleteFrom('payment_events').execute();
  if (paid) expect(await stripe.deliver(shop.eventsUrl, paid)).toBe(200);
  expect(refunds(shop)).toEqual([]);
});

test('a payment while a closed account waits for its cancellation and the event of it are one alarm', async ({
  shop,
}) => {
  const { server, stripe } = shop;
  const person = await buyer(shop);
  const { id } = await subscriptionFor(shop, person);
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  stripe.sufferAlways(500);
  await person.browser.client.deleteAccount();
  await expect.poll(() => server.log.filter((line) => line.includes('will be retried'))).toHaveLength(1);
  stripe.sufferAlways(null);
  stripe.deliverTo(null);
  stripe.state.payInvoice(stripe.state.subscriptions.get(id)?.latest_invoice ?? '');
  server.clock.advance(minutes(5));
  expect(await server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 1 });
  for (const event of stripe.state.events.slice(-3)) expect(await stripe.deliver(shop.eventsUrl, event)).toBe(200);
  expect(refunds(shop)).toHaveLength(1);
});

test('a checkout that is opened while the account is deleted cannot be paid', async ({ shop, person }) => {
  await shop.visit(person.browser, 'basic_monthly');
  const held = Promise.withResolvers<void>();
  shop.stripe.suffer({ answeredLate: held.promise });
  const visit = shop.visit(person.browser, 'power_monthly');
  await expect.poll(() => shop.stripe.held).toBe(1);
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  held.resolve();
  expect(await visit).toBe('/plan-pricing?problem=unavailable');
  expect(open(shop)).toEqual([]);
});

test('the first checkout of an account that is deleted meanwhile leaves no payable checkout', async ({ shop }) => {
  const person = await signUpAndIn(shop.server);
  const held = Promise.withResolvers<void>();
  shop.stripe.suffer({ answeredLate: held.promise });
  const visit = shop.visit(person.browser, 'power_monthly');
  await expect.poll(() => shop.stripe.held).toBe(1);
  await person.browser.client.deleteAccount();
  held.resolve();
  expect(await visit).toBe('/plan-pricing?problem=unavailable');
  expect(shop.stripe.state.sessions.size).toBe(0);
});

test('concurrent cancellations end a subscription once', async ({ shop }) => {
  const person = await buyer(shop);
  shop.stripe.sufferAlways(429);
  await person.browser.client.deleteAccount();
  await expect.poll(() => shop.server.log.filter((line) => line.includes('will be retried')).length).toBe(1);
  shop.stripe.sufferAlways(null);
  shop.server.clock.advance(minutes(2));
  const [accountId = ''] = await findDueCancellations(shop.server.context, 10);
  const ends = await Promise.all([1, 2, 3].map(() => cancelSubscription(shop.server.context, accountId)));
  expect(ends.filter(Boolean)).toHaveLength(1);
  expect(shop.stripe.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
});

test('without payments, deleting an account leaves no cancellation', async () => {
  await using server = await startServer();
  const person = await signUpAndIn(server);
  await person.browser.client.deleteAccount();
  expect(await server.context.db.selectFrom('subscriptions').selectAll().execute()).toEqual([]);
});

test('the subscriptions of other accounts are kept', async ({ shop }) => {
  const [ada, ben] = [await buyer(shop), await buyer(shop)];
  const bens = await shop.customerOf(ben);
  await ada.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  expect(live(shop).map(({ customer }) => customer)).toEqual([bens]);
});

test('a customer that was bought in test mode has nothing to cancel', async ({ shop }) => {
  const person = await buyer(shop);
  await checkProvider(shop.server.context);
  shop.stripe.state.customers.clear();
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
});
