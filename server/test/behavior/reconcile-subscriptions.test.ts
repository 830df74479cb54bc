import { standInPrices } from '@holdfast/test-support/stand-ins/stripe-state.ts';
import { expect } from 'vitest';
import { checkProvider } from '../../src/billing/provider.ts';
import { refreshSubscription } from '../../src/billing/snapshots.ts';
import { writeFact } from '../../src/storage/db/service-facts.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { newRowId } from '../../src/lib/row-id.ts';
import { levelOf, payAt, type Shop, shopTest as test } from '../harness/shop.ts';
import { subscribed, subscriptionRowOf } from '../harness/subscribers.ts';

const reconcile = ({ server }: Shop) => server.runJob('reconcile-subscriptions');
const later = ({ server }: Shop) => server.clock.advance(hours(1));
const about = ({ server }: Shop, words: string) => server.log.filter((line) => line.includes(words));
const same = { changed: 0, unknown: 0, failed: 0, strangers: 0 };
const snapshots = ({ server }: Shop) =>
  server.context.db
    .selectFrom('subscriptions')
    .select(['customer_id', 'read_at'])
    .orderBy('read_at')
    .orderBy('account_id')
    .execute();

/** Calls of the first nightly job before it reads the first customer: one checks the key. */
const callsBefore = ['the key', ...standInPrices].map(() => ({ lateMs: 0 }));

/** Accounts that pay as customers of another provider account, last read before all others. */
async function unknownCustomers({ server }: Shop, count: number) {
  const now = server.clock.now();
  const ids = Array.from({ length: count }, () => newRowId(now));
  const account = {
    name: '',
    password_hash: '',
    key_sealed: '',
    created_at: now,
    verified_at: now,
    level: 'basic',
  } as const;
  const paid = { status: 'active', level: 'basic', period: 'monthly', period_ends_at: now + days(30) } as const;
  await server.context.db
    .insertInto('accounts')
    .values(
      ids.map((id) => ({ ...account, id, last_active_at: now, email: id, email_key: id.toLowerCase(), key_hash: id })),
    )
    .execute();
  await server.context.db
    .insertInto('subscriptions')
    .values(ids.map((id, at) => ({ account_id: id, customer_id: `cus_sandbox${at}`, read_at: now - 1, ...paid })))
    .execute();
}

async function knownCustomers(shop: Shop, count: number) {
  await unknownCustomers(shop, count);
  const { customers: all, now } = shop.stripe.state;
  for (const { customer_id: id } of await snapshots(shop))
    if (id !== null) all.set(id, { id, object: 'customer', email: '', metadata: {}, created: now() });
}

test('changes without an event are found by the nightly run', async ({ shop }) => {
  const [ada, ben] = [await subscribed(shop), await subscribed(shop)];
  shop.stripe.deliverTo(null);
  shop.stripe.state.change(ada.id, { status: 'canceled' });
  later(shop);
  expect(await shop.server.runJob('reconcile-subscriptions', { dryRun: true })).toEqual({ customers: 2 });
  expect(await levelOf(ada.person)).toBe('Basic');
  expect(await reconcile(shop)).toEqual({ ...same, customers: 2, changed: 1 });
  expect([await levelOf(ada.person), await levelOf(ben.person)]).toEqual(['Free', 'Basic']);
  expect(about(shop, 'changed without an event')).toHaveLength(1);
  // A visit to the portal without a change has changed nothing.
  await shop.visit(ben.person.browser);
  later(shop);
  expect(await reconcile(shop)).toEqual({ ...same, customers: 2 });
  expect(about(shop, 'changed without an event')).toHaveLength(1);
});

test('an unreadable customer does not block others, and is first the next night', async ({ shop }) => {
  for (let i = 0; i < 6; i += 1) await subscribed(shop);
  shop.stripe.suffer(...callsBefore, 402);
  later(shop);
  expect(await reconcile(shop)).toEqual({ ...same, customers: 6, failed: 1 });
  const now = shop.server.clock.now();
  expect((await snapshots(shop)).map(({ read_at }) => read_at < now)).toEqual([true, ...Array(5).fill(false)]);
});

test('customers that the provider does not know keep their plans and block no other, with one alarm each', async ({
  shop,
}) => {
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  await unknownCustomers(shop, 25);
  shop.stripe.state.change(id, { status: 'canceled' });
  later(shop);
  expect(await reconcile(shop)).toEqual({ ...same, customers: 26, changed: 1, unknown: 25 });
  expect(await levelOf(person)).toBe('Free');
  later(shop);
  expect(await reconcile(shop)).toEqual({ ...same, customers: 26, unknown: 25 });
  expect(about(shop, 'ALARM')).toHaveLength(25);
});

test('an outage after the first customer ends the run after twenty failures', async ({ shop }) => {
  await knownCustomers(shop, 46);
  later(shop);
  // One of the first four concurrent reads succeeds.
  shop.stripe.suffer(...callsBefore, { lateMs: 0 });
  shop.stripe.sufferAlways(402);
  const before = shop.stripe.calls.length + callsBefore.length;
  await expect(reconcile(shop)).rejects.toThrow('does not respond');
  expect(shop.stripe.calls.length - before).toBe(24);
});

test('failures with successes between them are not an outage', async ({ shop }) => {
  await knownCustomers(shop, 33);
  later(shop);
  const fail = (times: number) => Array.from({ length: times }, () => 402 as const);
  shop.stripe.suffer(...callsBefore, ...fail(16), { lateMs: 0 }, ...fail(16));
  expect(await reconcile(shop)).toEqual({ ...same, customers: 33, changed: 1, failed: 32 });
});

test('a purchase whose event and redirect were lost is found', async ({ shop, person }) => {
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

test('a customer who pays for no account here raises one alarm, unless another service made it', async ({ shop }) => {
  const { server, stripe } = shop;
  await writeFact(server.context.db, 'id', { value: 'ours', at: 0 });
  const pays = (id: string, metadata: Record<string, string>) => {
    stripe.state.customers.set(id, { id, object: 'customer', email: '', metadata, created: 0 });
    stripe.state.subscribe(id, 'price_basic_monthly');
  };
  pays('cus_lost', { account: 'nobody', service: 'ours' });
  pays('cus_old', { account: 'nobody' });
  pays('cus_of_others', { account: 'nobody', service: 'theirs' });
  pays('cus_of_something_else', {});
  for (let night = 0; night < 2; night += 1) {
    later(shop);
    expect(await reconcile(shop)).toMatchObject({ strangers: 2 });
  }
  expect(about(shop, 'an account that is not here')).toEqual([
    expect.stringContaining('cus_old'),
    expect.stringContaining('cus_lost'),
  ]);
});

test('an account whose purchase was lost in a restore gets it back on the pricing page', async ({ shop }) => {
  const { person, customer } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const { db } = shop.server.context;
  await db.deleteFrom('subscriptions').execute();
  await db.updateTable('accounts').set({ level: 'free' }).execute();
  later(shop);
  expect(await reconcile(shop)).toMatchObject({ strangers: 1 });
  expect(about(shop, 'ALARM')).toEqual([expect.stringContaining('by choosing one on the pricing page')]);
  expect(await shop.visit(person.browser, 'basic_monthly')).toContain('/portal/');
  expect([await levelOf(person), await shop.customerOf(person)]).toEqual(['Basic', customer]);
});

test('a key of another provider account is refused while somebody pays, and test mode may be left', async ({
  shop,
}) => {
  const { context } = shop.server;
  const { payments } = context.config;
  if (payments.engine === 'none') throw new Error('it sells');
  const withKey = (secretKey: string) => ({
    ...context,
    config: { ...context.config, payments: { ...payments, secretKey } },
  });
  const { person, customer: customerId } = await subscribed(shop);
  const { account_id: accountId } = await subscriptionRowOf(shop, person);
  for (const key of ['sk_live_first', 'sk_live_rotated']) {
    expect(await checkProvider(withKey(key))).toBe(true);
    await refreshSubscription(context, { accountId, customerId });
  }
  const customers = new Map(shop.stripe.state.customers);
  shop.stripe.state.customers.clear();
  for (const other of ['sk_live_other', 'sk_test_other'])
    await expect(checkProvider(withKey(other))).rejects.toThrow('STRIPE_SECRET_KEY cannot be used');
  // The key that was checked needs no further call.
  expect(await checkProvider(withKey('sk_live_rotated'))).toBe(true);
  shop.stripe.sufferAlways(402);
  expect(await checkProvider(withKey('sk_test_new'))).toBe(false);
  shop.stripe.sufferAlways(null);
  for (const [id, customer] of customers) shop.stripe.state.customers.set(id, customer);
  expect(await checkProvider(withKey('sk_test_new'))).toBe(true);
  shop.stripe.state.customers.clear();
  expect(await checkProvider(withKey('sk_live_first'))).toBe(true);
});

test('events are deleted after a month, and not before', async ({ shop }) => {
  await subscribed(shop);
  const noted = async () => (await shop.server.context.db.selectFrom('payment_events').select('id').execute()).length;
  expect(await noted()).toBeGreaterThan(0);
  shop.server.clock.advance(days(29));
  await reconcile(shop);
  expect(await noted()).toBeGreaterThan(0);
  shop.server.clock.advance(days(2));
  await reconcile(shop);
  expect(await noted()).toBe(0);
});
