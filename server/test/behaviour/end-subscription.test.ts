import { expect, test } from 'vitest';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { openShop, payAt, type Shop } from '../harness/shop.ts';

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

async function buyer(shop: Shop) {
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, 'basic_monthly');
  return person;
}

test('deleting an account ends what it pays for at once, without keeping anybody waiting', async () => {
  await using shop = await openShop();
  const person = await buyer(shop);
  const held = Promise.withResolvers<void>();
  shop.stripe.sufferAlways({ answeredLate: held.promise });
  await person.browser.client.deleteAccount();
  expect(await waiting(shop)).toHaveLength(1);
  shop.stripe.sufferAlways(null);
  held.resolve();
  await expect.poll(() => waiting(shop)).toEqual([]);
  expect(live(shop)).toEqual([]);
  expect(shop.stripe.calls.at(-1)).toBe('GET /v1/subscriptions');
  const row = await shop.server.context.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'ended', cancel_requested_at: null });
});

test('while the provider does not answer it is tried again, ever more seldom, until it confirms', async () => {
  await using shop = await openShop();
  const { server, stripe } = shop;
  const person = await buyer(shop);
  stripe.sufferAlways(429);
  await person.browser.client.deleteAccount();
  await expect.poll(() => server.log.filter((line) => line.includes('is tried again')).length).toBe(1);
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

test('an answer that got lost is not taken for an end, and an end that got lost is found', async () => {
  await using shop = await openShop();
  const { server, stripe } = shop;
  const person = await buyer(shop);
  stripe.deliverTo(null);
  // The checkouts, the subscriptions, the end, and then silence where it should be confirmed.
  stripe.suffer({ lateMs: 0 }, { lateMs: 0 }, { lateMs: 0 }, 429);
  await person.browser.client.deleteAccount();
  await expect.poll(() => server.log.filter((line) => line.includes('is tried again')).length).toBe(1);
  expect(live(shop)).toEqual([]);
  expect(await waiting(shop)).toEqual([1]);
  server.clock.advance(minutes(2));
  expect(await server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 1 });
  expect(await waiting(shop)).toEqual([]);
});

test('the open checkout of a deleted account cannot be paid any more', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  const checkout = await shop.visit(person.browser, 'basic_monthly');
  await person.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  expect(open(shop)).toEqual([]);
  expect(await payAt(checkout)).toBeNull();
  expect(live(shop)).toEqual([]);
});

test('a checkout that is paid all the same is ended when that is told', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
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

test('whoever is on the way to a checkout while the account is deleted cannot pay', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
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

test('the first checkout of an account that is deleted meanwhile leaves nothing behind that can be paid', async () => {
  await using shop = await openShop();
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

test('two processes end a subscription once', async () => {
  await using shop = await openShop();
  const person = await buyer(shop);
  shop.stripe.sufferAlways(429);
  await person.browser.client.deleteAccount();
  await expect.poll(() => shop.server.log.filter((line) => line.includes('is tried again')).length).toBe(1);
  shop.stripe.sufferAlways(null);
  shop.server.clock.advance(minutes(2));
  const { endSubscription, findToEnd } = await import('../../src/billing/end-subscription.ts');
  const [accountId = ''] = await findToEnd(shop.server.context, 10);
  const ends = await Promise.all([1, 2, 3].map(() => endSubscription(shop.server.context, accountId)));
  expect(ends.filter(Boolean)).toHaveLength(1);
  expect(shop.stripe.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
});

test('an account without a customer asks the provider nothing when it is deleted', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  await person.browser.client.deleteAccount();
  shop.server.clock.advance(days(1));
  expect(await shop.server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 0 });
  expect(shop.stripe.calls).toEqual([]);
});

test('the subscriptions of others go on', async () => {
  await using shop = await openShop();
  const [ada, ben] = [await buyer(shop), await buyer(shop)];
  const bens = await shop.customerOf(ben);
  await ada.browser.client.deleteAccount();
  await expect.poll(() => waiting(shop)).toEqual([]);
  expect(live(shop).map(({ customer }) => customer)).toEqual([bens]);
});

test('the customer of another account of the operator is not taken for one that pays nothing', async () => {
  await using shop = await openShop();
  const person = await buyer(shop);
  shop.stripe.state.customers.clear();
  await person.browser.client.deleteAccount();
  await expect.poll(() => shop.server.log.filter((line) => line.includes('is tried again')).length).toBe(1);
  expect(await waiting(shop)).toEqual([1]);
});
