import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { days, minutes, seconds } from '../../src/lib/clock.ts';
import { measureStock } from '../../src/maintenance/measure-stock.ts';
import { goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { lettersAboutMoney, levelOf, openShop, type Shop, subscriptionOf } from '../harness/shop.ts';
import { startLimited } from '../harness/limited-server.ts';

const failed = 'A payment for your Holdfast plan failed';
const paused = 'Your Holdfast plan is paused';

async function subscribed(shop: Shop, plan: 'basic_monthly' | 'power_yearly' = 'basic_monthly') {
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, plan);
  const customer = await shop.customerOf(person);
  const own = [...shop.stripe.state.subscriptions.values()].find((each) => each.customer === customer);
  if (!own) throw new Error('nothing was bought');
  return { shop, person, id: own.id, customer };
}

async function rowOf({ server }: Shop, { email }: SignedIn) {
  return server.context.db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .selectAll('subscriptions')
    .select('accounts.level as account_level')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
}

/** As the database has them: a session ends before some plans do. */
function levelsOf(...all: readonly Awaited<ReturnType<typeof subscribed>>[]): Promise<PlanLevel[]> {
  return Promise.all(all.map(async ({ person, shop }) => (await rowOf(shop, person)).account_level));
}

const send = (shop: Shop, body: string, headers: Record<string, string> = {}) =>
  fetch(shop.eventsUrl, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });

test('what changes at the provider changes here, with the event', async () => {
  await using shop = await openShop();
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

test('the same event 100 times at once has one effect', async () => {
  await using shop = await openShop();
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const event = shop.stripe.state.change(id, { status: 'past_due' });
  const answers = await Promise.all(Array.from({ length: 100 }, () => shop.stripe.deliver(shop.eventsUrl, event)));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await lettersAboutMoney(shop, person)).toEqual([failed]);
  expect(await levelOf(person)).toBe('Basic');
  const noted = await shop.server.context.db
    .selectFrom('payment_events')
    .selectAll()
    .where('id', '=', event.id)
    .execute();
  expect(noted).toHaveLength(1);
});

test('an event that was handled is not asked about again', async () => {
  await using shop = await openShop();
  const { id } = await subscribed(shop);
  const event = shop.stripe.state.change(id, { price: 'price_power_yearly' });
  await shop.stripe.delivered();
  const calls = shop.stripe.calls.length;
  expect(await shop.stripe.deliver(shop.eventsUrl, event)).toBe(200);
  expect(shop.stripe.calls).toHaveLength(calls);
});

test('an event whose handling failed is handled when it comes again', async () => {
  await using shop = await openShop();
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

test('a forged, altered or late event is refused and changes nothing', async () => {
  await using shop = await openShop();
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

test('the age of an event is told by our clock', async () => {
  await using shop = await openShop();
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const event = shop.stripe.state.change(id, { price: 'price_power_yearly' });
  const signedLongAgo = { age: minutes(4) };
  shop.server.clock.advance(minutes(2));
  expect(await shop.stripe.deliver(shop.eventsUrl, event, { age: minutes(6) })).toBe(400);
  expect(await shop.stripe.deliver(shop.eventsUrl, event, signedLongAgo)).toBe(200);
  expect(await levelOf(person)).toBe('Power');
});

test('events of unknown kinds and of unknown customers are taken and ignored', async () => {
  await using shop = await openShop();
  const { person } = await subscribed(shop);
  const calls = shop.stripe.calls.length;
  shop.stripe.state.tell('product.created', { id: 'prod_1', object: 'product' });
  shop.stripe.state.tell('invoice.paid', { id: 'in_1', object: 'invoice', customer: 'cus_of_nobody' });
  shop.stripe.state.tell('invoice.paid', { id: 'in_2', object: 'invoice', customer: null });
  expect(await shop.stripe.delivered()).toEqual([200, 200, 200]);
  expect(shop.stripe.calls).toHaveLength(calls);
  expect(await levelOf(person)).toBe('Basic');
  expect(shop.server.log.filter((line) => line.includes('cus_of_nobody'))).toHaveLength(1);
});

test('what an event says of the state counts for nothing, whatever version, mode or account it is of', async () => {
  await using shop = await openShop();
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
  // One of the kind that only tells where the object is.
  const thin = { id: 'evt_thin', type: 'any', body: JSON.stringify({ id: 'evt_thin', object: 'v2.core.event' }) };
  expect(await shop.stripe.deliver(shop.eventsUrl, thin)).toBe(400);
});

test('a body above the limit is refused, and another method too', async () => {
  await using shop = await openShop();
  const large = await send(shop, 'x'.repeat(1024 * 1024 + 1));
  expect([large.status, await large.json()]).toMatchObject([413, { error: { code: 'PAYLOAD_TOO_LARGE' } }]);
  const read = await fetch(shop.eventsUrl);
  expect([read.status, read.headers.get('Allow')]).toEqual([405, 'POST']);
});

test("the provider's bursts are not counted against its address", async () => {
  await using server = await startLimited();
  const send20 = Array.from({ length: 20 }, () =>
    fetch(`${server.url}/api/stripe/webhook`, { method: 'POST', body: '{}' }),
  );
  const answers = await Promise.all(send20);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
});

test('a reading that a later one has overtaken is dropped', async () => {
  await using shop = await openShop();
  const { person, id } = await subscribed(shop);
  shop.stripe.deliverTo(null);
  const held = Promise.withResolvers<void>();
  // The first reading is answered with what was true before, and comes back after the second one.
  const first = shop.stripe.state.change(id, { cancel_at_period_end: true });
  shop.stripe.suffer({ answeredLate: held.promise });
  const slow = shop.stripe.deliver(shop.eventsUrl, first);
  await expect.poll(async () => (await rowOf(shop, person)).readings_begun).toBeGreaterThan(2);
  await expect.poll(() => shop.stripe.held).toBe(1);
  const second = shop.stripe.state.change(id, { price: 'price_power_yearly' });
  expect(await shop.stripe.deliver(shop.eventsUrl, second)).toBe(200);
  expect(await levelOf(person)).toBe('Power');
  held.resolve();
  expect(await slow).toBe(200);
  expect(await levelOf(person)).toBe('Power');
});

const steps: readonly ((shop: Shop, customer: string, id: string) => string)[] = [
  ({ stripe }, customer) => stripe.state.subscribe(customer, 'price_starter_monthly').id,
  ({ stripe }, _customer, id) => (stripe.state.change(id, { price: 'price_power_monthly' }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { status: 'past_due' }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { status: 'active' }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { cancel_at_period_end: true }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { status: 'canceled' }), id),
];

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((each, at) => permutations(all.toSpliced(at, 1)).map((rest) => [each, ...rest]));
}

/** Customers without people: what counts here is the account's row. */
async function manyCustomers(shop: Shop, count: number): Promise<string[]> {
  const { db } = shop.server.context;
  const template = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, (_, at) => `customer${at}`);
  for (let at = 0; at < ids.length; at += 100) {
    const some = ids.slice(at, at + 100);
    const account = (id: string) => ({ ...template, id, email: id, email_key: id, key_hash: id });
    await db.insertInto('accounts').values(some.map(account)).execute();
    await db
      .insertInto('subscriptions')
      .values(some.map((id) => ({ account_id: id, customer_id: `cus_${id}` })))
      .execute();
  }
  for (const id of ids)
    shop.stripe.state.customers.set(`cus_${id}`, {
      id: `cus_${id}`,
      object: 'customer',
      email: id,
      metadata: { account: id },
      created: 0,
    });
  return ids;
}

/** All of them on SQLite. On PostgreSQL every sixth: what differs there is how two at once meet, which other tests try. */
const tried = (orders: number[][]) =>
  process.env['TEST_DATABASE'] === 'postgres' ? orders.filter((_, at) => at % 6 === 0) : orders;

test(
  'all 720 orders of six events end in the same plan, however far the provider has come meanwhile',
  {
    timeout: 300_000,
  },
  async () => {
    await using shop = await openShop();
    await signUpAndIn(shop.server);
    shop.stripe.deliverTo(null);
    // The last event ends the subscription, so the orders of the first five are tried as well.
    const [six, five] = [tried(permutations([0, 1, 2, 3, 4, 5])), tried(permutations([0, 1, 2, 3, 4]))];
    const orders = [...six, ...five];
    const { db } = shop.server.context;
    const ids = await manyCustomers(shop, orders.length);
    const play = async (order: readonly number[], id: string, inTime: boolean) => {
      const ending = order.length;
      const customer = `cus_${id}`;
      const events: (typeof shop.stripe.state.events)[number][] = [];
      let subscription = '';
      const goOn = () => {
        subscription = steps[events.length]?.(shop, customer, subscription) ?? '';
        events.push(...shop.stripe.state.events.slice(-1));
      };
      if (!inTime) while (events.length < ending) goOn();
      for (const step of order) {
        // No event is sent before it has happened, and others may have happened by then.
        while (events.length <= step && events.length < ending) goOn();
        const event = events[step];
        if (event) expect(await shop.stripe.deliver(shop.eventsUrl, event)).toBe(200);
      }
    };
    for (let at = 0; at < orders.length; at += 20)
      await Promise.all(orders.slice(at, at + 20).map((order, i) => play(order, ids[at + i] ?? '', i % 2 === 0)));
    const ends = await db
      .selectFrom('accounts')
      .innerJoin('subscriptions', 'subscriptions.account_id', 'accounts.id')
      .select(['accounts.id', 'accounts.level', 'status', 'ends_with_period'])
      .execute();
    const endsOf = (some: readonly string[]) =>
      new Set(
        ends.filter(({ id }) => some.includes(id)).map((end) => `${end.level} ${end.status} ${end.ends_with_period}`),
      );
    expect([...endsOf(ids.slice(0, six.length))]).toEqual(['free ended 0']);
    expect([...endsOf(ids.slice(six.length))]).toEqual(['power active 1']);
  },
);

test('after a failed payment the plan stays for seven days, then goes, and is back when it is paid', async () => {
  await using shop = await openShop();
  const { person, id } = await subscribed(shop);
  const { server, stripe } = shop;
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  const since = server.clock.now();
  expect(await subscriptionOf(person)).toMatchObject({
    status: 'past_due',
    grace_ends: new Date(since + days(7)).toISOString(),
  });
  expect(await lettersAboutMoney(shop, person)).toEqual([failed]);
  // It is tried again and fails again: the days count from the first time.
  server.clock.advance(days(3));
  stripe.state.tell('invoice.payment_failed', {
    id: 'in_1',
    object: 'invoice',
    customer: await shop.customerOf(person),
  });
  await stripe.delivered();
  server.clock.advance(days(4) - seconds(1));
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 0 });
  expect(await levelOf(person)).toBe('Basic');
  server.clock.advance(seconds(1));
  expect(await server.runJob('end-grace')).toEqual({ accounts: 1, unread: 0 });
  expect(await levelOf(person)).toBe('Free');
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 0 });
  expect(await lettersAboutMoney(shop, person)).toEqual([failed, paused]);
  expect(await subscriptionOf(person)).toMatchObject({ level: 'Basic', status: 'past_due' });
  // Any other event meanwhile gives nothing back.
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  expect(await levelOf(person)).toBe('Free');
  stripe.state.change(id, { status: 'active' });
  await stripe.delivered();
  expect(await levelOf(person)).toBe('Basic');
  expect(await subscriptionOf(person)).toMatchObject({ status: 'active', grace_ends: null });
  // The next failure has days of its own.
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  expect(await levelOf(person)).toBe('Basic');
  expect(await lettersAboutMoney(shop, person)).toEqual([failed, paused, failed]);
});

test('before the plan goes the provider is asked once more, and waited for as long as its last answer counts', async () => {
  await using shop = await openShop();
  const [lost, down] = [await subscribed(shop), await subscribed(shop)];
  const { server, stripe } = shop;
  for (const { id } of [lost, down]) stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  server.clock.advance(days(7));
  stripe.deliverTo(null);
  stripe.state.change(lost.id, { status: 'active' });
  stripe.sufferAlways(401);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 2 });
  expect(await levelsOf(lost, down)).toEqual(['basic', 'basic']);
  expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(1);
  stripe.sufferAlways(null);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(lost, down)).toEqual(['basic', 'free']);
  stripe.state.change(lost.id, { status: 'past_due' });
  server.clock.advance(1);
  await server.runJob('reconcile-subscriptions');
  stripe.sufferAlways(401);
  server.clock.advance(days(30) - 1);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 1 });
  expect(await levelsOf(lost)).toEqual(['basic']);
  server.clock.advance(1);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(lost)).toEqual(['free']);
});

test('a provider that is away for ever leaves a plan for what was paid and a month more', async () => {
  await using shop = await openShop();
  const [month, year] = [await subscribed(shop, 'basic_monthly'), await subscribed(shop, 'power_yearly')];
  const { server, stripe } = shop;
  stripe.deliverTo(null);
  stripe.sufferAlways(401);
  const run = () => server.runJob('end-grace');
  expect(await measureStock(server.context)).toMatchObject({ paymentsUnread: 0 });
  server.clock.advance(days(3));
  expect(await measureStock(server.context)).toMatchObject({ paymentsUnread: 2 });
  server.clock.advance(days(57) - seconds(1));
  expect(await run()).toEqual({ accounts: 0, unread: 0 });
  server.clock.advance(seconds(1));
  expect(await run()).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(month, year)).toEqual(['free', 'power']);
  expect(await run()).toEqual({ accounts: 0, unread: 0 });
  expect(await lettersAboutMoney(shop, month.person)).toEqual([paused]);
  const { client } = openBrowser(server);
  await client.login({ body: { email: month.person.email, password: goodPassword } });
  expect(await client.getSubscription()).toMatchObject({
    subscription: { level: 'Basic', status: 'past_due', grace_ends: null },
  });
  server.clock.advance(days(334));
  expect(await run()).toEqual({ accounts: 0, unread: 0 });
  server.clock.advance(days(1));
  expect(await run()).toEqual({ accounts: 1, unread: 0 });
  // The plan is back with the first answer, and nobody had to do anything.
  stripe.sufferAlways(null);
  await server.runJob('reconcile-subscriptions');
  expect(await levelsOf(month, year)).toEqual(['basic', 'power']);
});

test('two runs at once end the days of grace once', async () => {
  await using shop = await openShop();
  const { person, id } = await subscribed(shop);
  shop.stripe.state.change(id, { status: 'past_due' });
  await shop.stripe.delivered();
  shop.server.clock.advance(days(7));
  const { endGraceOf, findOverdue } = await import('../../src/billing/end-grace.ts');
  const [overdue] = await findOverdue(shop.server.context, 10);
  if (!overdue) throw new Error('nobody is overdue');
  const ends = await Promise.all([1, 2, 3].map(() => endGraceOf(shop.server.context, overdue)));
  expect(ends.toSorted()).toEqual(['ended', 'kept', 'kept']);
  expect(await lettersAboutMoney(shop, person)).toEqual([failed, paused]);
});

test('a plan that the operator gave is what is left, and the better one counts', async () => {
  await using shop = await openShop();
  const { grantPlan } = await import('../../src/billing/grant-plan.ts');
  const { person, id } = await subscribed(shop);
  const { account_id } = await rowOf(shop, person);
  const grant = (level: 'free' | 'starter' | 'power') => grantPlan(shop.server.context, account_id, level);
  expect(await grant('starter')).toBe('basic');
  expect(await grant('power')).toBe('power');
  expect(await levelOf(person)).toBe('Power');
  expect(await grant('starter')).toBe('basic');
  shop.stripe.state.change(id, { status: 'canceled' });
  await shop.stripe.delivered();
  expect(await levelOf(person)).toBe('Starter');
  expect(await grant('free')).toBe('free');
  expect(await levelOf(person)).toBe('Free');
  expect(await grantPlan(shop.server.context, 'nobody', 'power')).toBeNull();
});

test('a clock that jumps ahead and back again takes no plan for good and loses no event', async () => {
  await using shop = await openShop();
  const { person, id } = await subscribed(shop);
  const { server, stripe } = shop;
  const { account_id } = await rowOf(shop, person);
  const level = async () => {
    const row = await server.context.db
      .selectFrom('accounts')
      .select('level')
      .where('id', '=', account_id)
      .executeTakeFirst();
    return row?.level;
  };
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  server.clock.advance(days(400));
  await server.runJob('end-grace');
  expect(await level()).toBe('free');
  server.clock.advance(-days(399));
  await server.runJob('reconcile-subscriptions');
  expect(await level()).toBe('basic');
  expect((await rowOf(shop, person)).grace_over).toBe(0);
  server.clock.advance(-days(800));
  stripe.state.change(id, { price: 'price_power_yearly' });
  await stripe.delivered();
  await server.runJob('end-grace');
  expect(await level()).toBe('power');
  server.clock.advance(days(7));
  await server.runJob('end-grace');
  expect(await level()).toBe('free');
});

test('a price that the operator took out of the list keeps its meaning, and a new one that is not in it is told', async () => {
  await using shop = await openShop({ STRIPE_PRICES: 'basic_monthly=price_basic_monthly' });
  const { person, id } = await subscribed(shop);
  shop.stripe.state.change(id, { price: 'price_power_yearly' });
  await shop.stripe.delivered();
  expect(await levelOf(person)).toBe('Basic');
  const other = await signUpAndIn(shop.server);
  await shop.visit(other.browser, 'basic_monthly');
  shop.stripe.state.subscribe(await shop.customerOf(other), 'price_power_yearly');
  await shop.stripe.delivered();
  expect(await levelOf(other)).toBe('Free');
  expect(shop.server.log.join()).toContain('STRIPE_PRICES lacks');
  expect(await subscriptionOf(other)).toMatchObject({ level: null, period: null, status: 'active' });
  expect(await shop.visit(other.browser, 'basic_monthly')).toContain('/portal/');
});
