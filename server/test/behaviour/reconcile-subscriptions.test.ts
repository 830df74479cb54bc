import { expect, test } from 'vitest';
import { days, hours } from '../../src/lib/clock.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { levelOf, openShop, payAt, type Shop } from '../harness/shop.ts';

async function customers(shop: Shop, count: number): Promise<SignedIn[]> {
  const people: SignedIn[] = [];
  for (let i = 0; i < count; i += 1) {
    const person = await signUpAndIn(shop.server);
    await shop.buy(person, 'basic_monthly');
    people.push(person);
  }
  shop.stripe.deliverTo(null);
  return people;
}

const reconcile = ({ server }: Shop) => server.runJob('reconcile-subscriptions');
const later = ({ server }: Shop) => server.clock.advance(hours(1));

test('every night what no event has told is found', async () => {
  await using shop = await openShop();
  const [ada, ben] = await customers(shop, 2);
  if (!ada || !ben) throw new Error('there are two');
  const customer = await shop.customerOf(ada);
  const own = [...shop.stripe.state.subscriptions.values()].find((each) => each.customer === customer);
  shop.stripe.state.change(own?.id ?? '', { status: 'canceled' });
  later(shop);
  expect(await shop.server.runJob('reconcile-subscriptions', { dryRun: true })).toEqual({ customers: 2 });
  expect(await levelOf(ada)).toBe('Basic');
  expect(await reconcile(shop)).toEqual({ customers: 2, changed: 1, failed: 0 });
  expect([await levelOf(ada), await levelOf(ben)]).toEqual(['Free', 'Basic']);
  const told = () => shop.server.log.filter((line) => line.includes('no event has told')).length;
  expect(told()).toBe(1);
  // Whoever looks at the portal and changes nothing there has changed nothing.
  await shop.visit(ben.browser);
  later(shop);
  expect(await reconcile(shop)).toEqual({ customers: 2, changed: 0, failed: 0 });
  expect(told()).toBe(1);
});

test('one customer who cannot be read holds no other up, and is first the next night', async () => {
  await using shop = await openShop();
  await customers(shop, 6);
  const [first] = await shop.server.context.db
    .selectFrom('subscriptions')
    .select('customer_id')
    .orderBy('account_id')
    .execute();
  shop.stripe.state.customers.delete(first?.customer_id ?? '');
  later(shop);
  expect(await reconcile(shop)).toEqual({ customers: 6, changed: 0, failed: 1 });
  expect(shop.server.log.join()).toContain('ALARM');
  const oldest = await shop.server.context.db
    .selectFrom('subscriptions')
    .select('customer_id')
    .orderBy('read_at')
    .executeTakeFirst();
  expect(oldest).toEqual(first);
  const levels = await shop.server.context.db.selectFrom('accounts').select('level').distinct().execute();
  expect(levels).toEqual([{ level: 'basic' }]);
});

test('a provider that is down takes nobody their plan, and ends the run', { timeout: 120_000 }, async () => {
  await using shop = await openShop();
  const people = await customers(shop, 22);
  shop.stripe.sufferAlways(429);
  later(shop);
  const readings = () => shop.stripe.calls.filter((call) => call === 'GET /v1/subscriptions').length;
  const before = readings();
  await expect(reconcile(shop)).rejects.toThrow('does not answer');
  expect(readings() - before).toBe(20);
  for (const person of people.slice(0, 2)) expect(await levelOf(person)).toBe('Basic');
  shop.stripe.sufferAlways(null);
  expect(await reconcile(shop)).toEqual({ customers: 22, changed: 0, failed: 0 });
});

test('a purchase between whose payment and its writing the server was killed is found', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  shop.stripe.deliverTo(null);
  const checkout = await shop.visit(person.browser, 'power_yearly');
  // Killed while it opened another one: the lease stays, and so does the checkout.
  await shop.server.context.db
    .updateTable('subscriptions')
    .set({ checkout_leased_until: shop.server.clock.now() + 60_000, checkout_opened_at: null })
    .execute();
  await payAt(checkout);
  later(shop);
  expect(await levelOf(person)).toBe('Free');
  expect(await reconcile(shop)).toMatchObject({ changed: 1 });
  expect(await levelOf(person)).toBe('Power');
  expect(await shop.visit(person.browser, 'basic_monthly')).toContain('/portal/');
});

test('events are forgotten after a month, and not before', async () => {
  await using shop = await openShop();
  await customers(shop, 1);
  const noted = async () => (await shop.server.context.db.selectFrom('payment_events').select('id').execute()).length;
  expect(await noted()).toBeGreaterThan(0);
  shop.server.clock.advance(days(29));
  await reconcile(shop);
  expect(await noted()).toBeGreaterThan(0);
  shop.server.clock.advance(days(2));
  await reconcile(shop);
  expect(await noted()).toBe(0);
});
