import { expect, test } from 'vitest';
import { standInPrices } from '@holdfast/test-support/stand-ins/stripe-state.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { newRowId } from '../../src/lib/row-id.ts';
import { measureStorage } from '../../src/maintenance/storage-metrics.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { levelOf, openShop, payAt, type Shop } from '../harness/shop.ts';
import { levelsOf, subscribed } from '../harness/subscribers.ts';

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
const about = ({ server }: Shop, words: string) => server.log.filter((line) => line.includes(words));
const levels = async ({ server }: Shop) =>
  (await server.context.db.selectFrom('accounts').select('level').execute()).map(({ level }) => level);
const bySnapshot = ({ server }: Shop) =>
  server.context.db
    .selectFrom('subscriptions')
    .select(['customer_id', 'read_at'])
    .orderBy('read_at')
    .orderBy('account_id')
    .execute();

/** Provider calls of the nightly job before it reads the first customer. */
const pricesAreCompared = standInPrices.map(() => ({ lateMs: 0 }));

/** Accounts with customers of another provider account, such as its sandbox, last read before all others. */
async function unknownCustomers({ server }: Shop, count: number, status: 'none' | 'active') {
  const now = server.clock.now();
  const ids = Array.from({ length: count }, () => newRowId(now));
  const account = {
    name: '',
    password_hash: '',
    key_sealed: '',
    created_at: now,
    verified_at: now,
    last_active_at: now,
  };
  const level = status === 'active' ? 'basic' : 'free';
  await server.context.db
    .insertInto('accounts')
    .values(ids.map((id) => ({ ...account, id, email: id, email_key: id.toLowerCase(), key_hash: id, level })))
    .execute();
  const paid =
    status === 'active' ? ({ level: 'basic', period: 'monthly', period_ends_at: now + days(30) } as const) : {};
  await server.context.db
    .insertInto('subscriptions')
    .values(
      ids.map((id, at) => ({ account_id: id, customer_id: `cus_sandbox${at}`, status, read_at: now - 1, ...paid })),
    )
    .execute();
}

/** Customers known to the provider: reading one takes one call. */
async function knownCustomers(shop: Shop, count: number) {
  await unknownCustomers(shop, count, 'active');
  const { customers: all, now } = shop.stripe.state;
  for (const { customer_id: id } of await bySnapshot(shop))
    if (id !== null) all.set(id, { id, object: 'customer', email: '', metadata: {}, created: now() });
}

test('changes without an event are found by the nightly run', async () => {
  await using shop = await openShop();
  const [ada, ben] = await customers(shop, 2);
  if (!ada || !ben) throw new Error('there are two');
  const customer = await shop.customerOf(ada);
  const own = [...shop.stripe.state.subscriptions.values()].find((each) => each.customer === customer);
  shop.stripe.state.change(own?.id ?? '', { status: 'canceled' });
  later(shop);
  expect(await shop.server.runJob('reconcile-subscriptions', { dryRun: true })).toEqual({ customers: 2 });
  expect(await levelOf(ada)).toBe('Basic');
  expect(await reconcile(shop)).toEqual({ customers: 2, changed: 1, unknown: 0, failed: 0 });
  expect([await levelOf(ada), await levelOf(ben)]).toEqual(['Free', 'Basic']);
  const told = () => shop.server.log.filter((line) => line.includes('changed without an event')).length;
  expect(told()).toBe(1);
  // A visit to the portal without a change has changed nothing.
  await shop.visit(ben.browser);
  later(shop);
  expect(await reconcile(shop)).toEqual({ customers: 2, changed: 0, unknown: 0, failed: 0 });
  expect(told()).toBe(1);
});

test('an unreadable customer does not block others, and is first the next night', async () => {
  await using shop = await openShop();
  await customers(shop, 6);
  // Enough for each attempt of one call; the prices are compared first.
  shop.stripe.suffer(...pricesAreCompared, 402);
  later(shop);
  expect(await reconcile(shop)).toEqual({ customers: 6, changed: 0, unknown: 0, failed: 1 });
  const now = shop.server.clock.now();
  expect((await bySnapshot(shop)).map(({ read_at }) => read_at < now)).toEqual([true, ...Array(5).fill(false)]);
  expect(await levels(shop)).toEqual(Array(6).fill('basic'));
});

test.each([20, 25])('%i customers unknown to the provider do not block the others', async (count) => {
  await using shop = await openShop();
  const [ada] = await customers(shop, 1);
  if (!ada) throw new Error('there is one');
  await unknownCustomers(shop, count, 'none');
  const [own] = shop.stripe.state.subscriptions.keys();
  shop.stripe.state.change(own ?? '', { status: 'canceled' });
  later(shop);
  expect(await reconcile(shop)).toEqual({ customers: count + 1, changed: 1, unknown: count, failed: 0 });
  expect(await levelOf(ada)).toBe('Free');
  // The next night finds the same, and does not report it again.
  const said = about(shop, 'does not know').length;
  expect(said).toBe(count);
  later(shop);
  expect(await reconcile(shop)).toEqual({ customers: count + 1, changed: 0, unknown: count, failed: 0 });
  expect(about(shop, 'does not know')).toHaveLength(said);
});

test('if the provider knows no customer, no plan is lost and each raises one alarm', { timeout: 120_000 }, async () => {
  await using shop = await openShop();
  const people = await customers(shop, 25);
  const known = new Map(shop.stripe.state.customers);
  shop.stripe.state.customers.clear();
  for (let night = 0; night < 3; night += 1) {
    later(shop);
    expect(await reconcile(shop)).toEqual({ customers: 25, changed: 0, unknown: 25, failed: 0 });
    expect(await levels(shop)).toEqual(Array(25).fill('basic'));
    expect(about(shop, 'ALARM')).toHaveLength(25);
  }
  expect(await measureStorage(shop.server.context)).toMatchObject({ paymentsUnknown: 25, paymentsUnread: 0 });
  for (const [id, customer] of known) shop.stripe.state.customers.set(id, customer);
  later(shop);
  expect(await reconcile(shop)).toEqual({ customers: 25, changed: 0, unknown: 0, failed: 0 });
  expect(await measureStorage(shop.server.context)).toMatchObject({ paymentsUnknown: 0 });
  // Known again, and unknown again: this is reported as new.
  shop.stripe.state.customers.delete(await shop.customerOf(people[0] as SignedIn));
  later(shop);
  await reconcile(shop);
  expect(about(shop, 'ALARM')).toHaveLength(26);
});

test('the plan of an unknown customer ends like during an outage, without requests for others', async () => {
  await using shop = await openShop();
  const [overdue, month] = [await subscribed(shop), await subscribed(shop)];
  const { server, stripe } = shop;
  stripe.state.change(overdue.id, { status: 'past_due' });
  await stripe.delivered();
  const read = server.clock.now();
  const known = [overdue, month].map(({ customer }) => stripe.state.customers.get(customer));
  for (const { customer } of [overdue, month]) stripe.state.customers.delete(customer);
  const night = async () => {
    await server.runJob('reconcile-subscriptions');
    return server.runJob('end-grace');
  };
  for (let day = 5; day < 30; day += 5) {
    server.clock.advance(days(5));
    await server.runJob('reconcile-subscriptions');
    // The nightly job has read them: they take no place in the batch of customers whose grace can be decided.
    const calls = stripe.calls.length;
    expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 0 });
    expect(stripe.calls).toHaveLength(calls);
  }
  expect(about(shop, 'ALARM')).toHaveLength(2);
  server.clock.advance(read + days(30) - server.clock.now());
  expect(await night()).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(overdue, month)).toEqual(['free', 'basic']);
  server.clock.advance(days(30));
  expect(await night()).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(overdue, month)).toEqual(['free', 'free']);
  expect(await measureStorage(server.context)).toMatchObject({ paymentsUnknown: 0, paymentsUnread: 0 });
  for (const customer of known) if (customer) stripe.state.customers.set(customer.id, customer);
  stripe.state.change(overdue.id, { status: 'active' });
  await night();
  expect(await levelsOf(overdue, month)).toEqual(['basic', 'basic']);
});

test('an outage after the first customer ends the run after twenty failures', async () => {
  await using shop = await openShop();
  await knownCustomers(shop, 46);
  later(shop);
  // One of the first four concurrent reads succeeds.
  shop.stripe.suffer(...pricesAreCompared, { lateMs: 0 });
  shop.stripe.sufferAlways(402);
  const before = shop.stripe.calls.length + pricesAreCompared.length;
  await expect(reconcile(shop)).rejects.toThrow('does not respond');
  expect(shop.stripe.calls.length - before).toBe(24);
});

test('failures with successes between them are not an outage', async () => {
  await using shop = await openShop();
  await knownCustomers(shop, 33);
  later(shop);
  const fail = (times: number) => Array.from({ length: times }, () => 402 as const);
  shop.stripe.suffer(...pricesAreCompared, ...fail(16), { lateMs: 0 }, ...fail(16));
  expect(await reconcile(shop)).toEqual({ customers: 33, changed: 1, unknown: 0, failed: 32 });
});

test('an unavailable provider ends the run, but no plan', { timeout: 120_000 }, async () => {
  await using shop = await openShop();
  const people = await customers(shop, 22);
  shop.stripe.sufferAlways(429);
  later(shop);
  const snapshots = () => shop.stripe.calls.filter((call) => call === 'GET /v1/subscriptions').length;
  const before = snapshots();
  await expect(reconcile(shop)).rejects.toThrow('does not respond');
  expect(snapshots() - before).toBe(20);
  for (const person of people.slice(0, 2)) expect(await levelOf(person)).toBe('Basic');
  shop.stripe.sufferAlways(null);
  expect(await reconcile(shop)).toEqual({ customers: 22, changed: 0, unknown: 0, failed: 0 });
});

test('a purchase whose event and redirect were lost is found', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  shop.stripe.deliverTo(null);
  const checkout = await shop.visit(person.browser, 'power_yearly');
  // Killed while it opened another checkout: the lease is kept, and so is the checkout.
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

test('events are deleted after a month, and not before', async () => {
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
