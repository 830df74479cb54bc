import { billingPeriods, paidLevels, subscriptionPath, standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect } from 'vitest';
import { buyPlan } from '../../src/billing/checkout.ts';
import { days, seconds } from '../../src/lib/clock.ts';
import { openMonitoring } from '../../src/monitoring/open-monitoring.ts';
import { serverPages } from '../../src/monitoring/server-metrics.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import {
  cookiesOf,
  goTo,
  billingEmails,
  levelOf,
  openShop,
  payAt,
  type Shop,
  subscriptionOf,
  shopTest as test,
} from '../harness/shop.ts';
import { openSecond, startServer } from '../harness/start-server.ts';

const problem = (name: string) => `/plan-pricing?problem=${name}`;
const long = { timeout: 120_000 };
const prices = paidLevels.flatMap(() => billingPeriods);
const openSessions = ({ stripe }: Shop) =>
  [...stripe.state.sessions.values()].filter(({ status }) => status === 'open');
const alarms = ({ server }: Shop) => server.log.filter((line) => line.includes('ALARM'));

test('a plan is bought at a checkout, and its limits apply after the payment', async ({ shop, person }) => {
  expect(await subscriptionOf(person)).toBeNull();
  const checkout = await shop.visit(person.browser, 'basic_yearly');
  expect(checkout).toMatch(`${shop.stripe.url}/pay/`);
  expect(await levelOf(person)).toBe('Free');
  expect(await payAt(checkout)).toBe(`${shop.server.context.config.origins.app}/dashboard/plan-info?checkout=paid`);
  await shop.stripe.delivered();
  const { account } = await person.browser.client.getAccountInfo();
  expect(account.info.level).toBe('Basic');
  expect(account.limits.space_quota).toBe(standardPlans.basic.spaceQuota);
  const ends = new Date(Math.floor(shop.server.clock.now() / 1000) * 1000 + days(365)).toISOString();
  expect(await subscriptionOf(person)).toEqual({
    level: 'Basic',
    period: 'yearly',
    status: 'active',
    period_ends: ends,
    ends_with_period: false,
    grace_ends: null,
  });
  expect(alarms(shop)).toEqual([]);
});

test('a paying account is redirected to the portal for any plan', async ({ shop, person }) => {
  await shop.buy(person, 'starter_monthly');
  const portal = `${shop.stripe.url}/portal/${await shop.customerOf(person)}`;
  for (const plan of [undefined, 'power_yearly', 'starter_monthly'])
    expect(await shop.visit(person.browser, plan)).toContain(portal);
  expect(openSessions(shop)).toEqual([]);
});

test('an open checkout is reused, and one for another plan is closed', async ({ shop, person: { browser } }) => {
  const first = await shop.visit(browser, 'basic_monthly');
  expect(await shop.visit(browser, 'basic_monthly')).toBe(first);
  const other = await shop.visit(browser, 'power_monthly');
  expect(other).not.toBe(first);
  expect(openSessions(shop)).toMatchObject([{ price: 'price_power_monthly' }]);
});

test('visits on two processes open one checkout, and no other is open after its payment', long, async ({ shop }) => {
  const { db } = shop.server.context;
  await using second = await openSecond(shop.server);
  const tab = (at: number) => (at % 2 === 0 ? shop.server.context : second);
  for (let round = 0; round < 3; round += 1) {
    const person = await signUpAndIn(shop.server);
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow();
    const open = Array.from({ length: 4 }, (_, at) => buyPlan(tab(at), account, 'basic_monthly'));
    const urls = new Set(await Promise.all(open));
    expect(urls.size).toBe(1);
    const [url = ''] = urls;
    const [paid, other] = await Promise.all([payAt(url), buyPlan(tab(round), account, 'power_monthly')]);
    await shop.stripe.delivered();
    const customer = await shop.customerOf(person);
    const own = <T extends { customer: string }>(all: Iterable<T>) =>
      [...all].filter((each) => each.customer === customer);
    expect(own(shop.stripe.state.subscriptions.values())).toHaveLength(paid ? 1 : 0);
    expect(own(openSessions(shop))).toHaveLength(paid ? 0 : 1);
    expect(other).toContain(paid ? '/portal/' : '/pay/');
  }
  expect(alarms(shop)).toEqual([]);
});

test('a purchase leaves no second checkout open before its event arrives', async ({ shop, person }) => {
  shop.stripe.deliverTo(null);
  await payAt(await shop.visit(person.browser, 'basic_monthly'));
  expect(await shop.visit(person.browser, 'power_monthly')).toContain('/portal/');
  expect(openSessions(shop)).toEqual([]);
  expect(await levelOf(person)).toBe('Basic');
});

test('a buyer who returns before the event sees the plan', async ({ shop, person }) => {
  shop.stripe.deliverTo(null);
  await payAt(await shop.visit(person.browser, 'basic_monthly'));
  shop.server.clock.advance(seconds(4));
  expect(await subscriptionOf(person)).toMatchObject({ level: 'Basic' });
  expect(await levelOf(person)).toBe('Basic');
});

test('a user who returns from the portal before the event sees the change', async ({ shop, person }) => {
  await shop.buy(person, 'basic_monthly');
  shop.stripe.deliverTo(null);
  const [own] = shop.stripe.state.subscriptions.keys();
  await shop.visit(person.browser);
  shop.stripe.state.change(own ?? '', { price: 'price_power_monthly', cancel_at_period_end: true });
  shop.server.clock.advance(seconds(4));
  expect(await subscriptionOf(person)).toMatchObject({ level: 'Power', ends_with_period: true });
  expect(await levelOf(person)).toBe('Power');
  const calls = shop.stripe.calls.length;
  shop.server.clock.advance(seconds(4));
  await subscriptionOf(person);
  expect(shop.stripe.calls).toHaveLength(calls);
});

test('a user who ends a plan in the portal can buy another before the event arrives', async ({ shop, person }) => {
  await shop.buy(person, 'basic_monthly');
  shop.stripe.deliverTo(null);
  const [own] = shop.stripe.state.subscriptions.keys();
  expect(await shop.visit(person.browser)).toContain('/portal/');
  shop.stripe.state.change(own ?? '', { status: 'canceled' });
  const checkout = await shop.visit(person.browser, 'power_monthly');
  expect(checkout).toContain('/pay/');
  await payAt(checkout);
  expect(await shop.visit(person.browser)).toContain('/portal/');
  expect(await levelOf(person)).toBe('Power');
  expect(alarms(shop)).toEqual([]);
});

test('a customer deleted at the provider loses the plan and can buy another', async ({ shop, person }) => {
  await shop.buy(person, 'basic_monthly');
  const before = await shop.customerOf(person);
  shop.stripe.state.deleteCustomer(before);
  expect(new Set(await shop.stripe.delivered())).toEqual(new Set([200]));
  expect(await levelOf(person)).toBe('Free');
  await shop.buy(person, 'power_monthly');
  expect(await levelOf(person)).toBe('Power');
  expect(await shop.customerOf(person)).not.toBe(before);
  expect(alarms(shop)).toEqual([]);
});

test('an account that pays for two plans in one subscription has the better one, and the operator is alerted', async ({
  shop,
}) => {
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, 'basic_monthly');
  const [own] = shop.stripe.state.subscriptions.keys();
  shop.stripe.state.change(own ?? '', {
    items: [
      ['price_basic_monthly', 1],
      ['price_power_monthly', 2],
    ],
  });
  await shop.stripe.delivered();
  expect(await levelOf(person)).toBe('Power');
  expect(alarms(shop)).toEqual([expect.stringContaining('"times":3')]);
});

test('thirty concurrent requests after a payment make one request to the provider, also while it fails', async ({
  shop,
}) => {
  const person = await signUpAndIn(shop.server);
  await shop.visit(person.browser, 'basic_monthly');
  for (const trouble of [{ lateMs: 300 }, 402] as const) {
    shop.stripe.sufferAlways(trouble);
    shop.server.clock.advance(seconds(4));
    const calls = shop.stripe.calls.length;
    await Promise.all(Array.from({ length: 30 }, () => subscriptionOf(person)));
    await subscriptionOf(person);
    expect(shop.stripe.calls.length - calls).toBe(1);
  }
});

test('of two concurrent subscriptions the better one is kept, and the owner and the operator are notified', async ({
  shop,
}) => {
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, 'basic_monthly');
  const better = shop.stripe.state.subscribe(await shop.customerOf(person), 'price_power_monthly');
  await shop.stripe.delivered();
  const live = [...shop.stripe.state.subscriptions.values()].filter(({ status }) => status === 'active');
  expect(live).toEqual([better]);
  expect(await levelOf(person)).toBe('Power');
  expect(alarms(shop)).toHaveLength(1);
  expect(alarms(shop)[0]).toContain('two subscriptions');
  expect(await billingEmails(shop, person)).toEqual(['You paid for two Holdfast plans']);
  const { text } = (await shop.server.mail.emails()).findLast(({ to }) => to === person.email) ?? {};
  expect(text).toContain('The one for Power stays as it is');
});

test('an account that paid twice gets one email until the lesser subscription has ended', async ({ shop, person }) => {
  await shop.buy(person, 'basic_monthly');
  shop.stripe.deliverTo(null);
  shop.stripe.state.subscribe(await shop.customerOf(person), 'price_power_monthly');
  for (let night = 0; night < 3; night += 1) {
    shop.server.clock.advance(days(1));
    // The read succeeds, and the cancellation fails.
    shop.stripe.suffer(...prices.map(() => ({ lateMs: 0 })), { lateMs: 0 }, 402);
    await expect(shop.server.runJob('reconcile-subscriptions')).rejects.toThrow('could be read');
  }
  const live = () => [...shop.stripe.state.subscriptions.values()].filter(({ status }) => status === 'active');
  expect(live()).toHaveLength(2);
  expect(await billingEmails(shop, person)).toEqual(['You paid for two Holdfast plans']);
  shop.server.clock.advance(days(1));
  await shop.server.runJob('reconcile-subscriptions');
  expect(live()).toHaveLength(1);
  expect(await billingEmails(shop, person)).toHaveLength(1);
});

test('a plan granted by the operator has no portal, and the redirect says so', async ({ shop }) => {
  const person = await signUpAndIn(shop.server, { plan: 'basic' });
  for (const plan of [undefined, 'starter_monthly', 'basic_yearly'])
    expect(await shop.visit(person.browser, plan)).toBe(problem('granted'));
  await shop.buy(person, 'power_monthly');
  expect(await levelOf(person)).toBe('Power');
  expect(await shop.visit(person.browser)).toContain('/portal/');
});

test('on Free, managing a plan redirects to the plans', async ({ shop, person: { browser } }) => {
  expect(await shop.visit(browser)).toBe('/plan-pricing');
  await shop.visit(browser, 'basic_monthly');
  expect(await shop.visit(browser)).toBe('/plan-pricing');
});

test('an unknown plan redirects back to the plans', async ({ shop, person: { browser } }) => {
  for (const plan of [
    'gold_monthly',
    'basic',
    'basic_weekly',
    'free_monthly',
    '',
    '__proto__',
    'basic_monthly,power_yearly',
  ])
    expect(await shop.visit(browser, plan), plan).toBe(problem('unknown-plan'));
  expect(shop.stripe.calls).toEqual([]);
});

test('only plans with a price are for sale, and without payments none', async () => {
  await using shop = await openShop({ STRIPE_PRICES: 'basic_monthly=price_basic_monthly' });
  const { browser } = await signUpAndIn(shop.server);
  expect(await shop.visit(browser, 'basic_yearly')).toBe(problem('not-for-sale'));
  expect(await shop.visit(browser, 'basic_monthly')).toContain('/pay/');
  await using server = await startServer();
  for (const other of [await signUpAndIn(server), await signUpAndIn(server, { plan: 'basic' })])
    for (const query of ['', '?plan=basic_monthly']) {
      const headers = { Cookie: cookiesOf(other.browser), 'Sec-Fetch-Site': 'none' };
      const answer = await goTo(server, subscriptionPath + query, headers);
      expect([answer.status, answer.headers.location]).toEqual([303, problem('not-for-sale')]);
    }
});

test('a plan is sold only at the price on the page', async () => {
  const swapped =
    'power_monthly=price_starter_monthly,starter_monthly=price_power_monthly,basic_monthly=price_basic_monthly';
  await using shop = await openShop({ STRIPE_PRICES: swapped, METRICS_PORT: '0' });
  const { browser } = await signUpAndIn(shop.server);
  expect(await shop.visit(browser, 'power_monthly')).toBe(problem('not-for-sale'));
  expect(openSessions(shop)).toEqual([]);
  expect(alarms(shop)).toEqual([
    expect.stringMatching(/price_starter_monthly of power_monthly is \$0\.99 a month .* \$9\.99 a month/),
  ]);
  // The other one is found before the first visit, at the start or during the night.
  await shop.server.runJob('reconcile-subscriptions');
  expect(alarms(shop)).toHaveLength(3);
  await using monitoring = await openMonitoring(shop.server.context, serverPages(shop.server.context, []));
  expect(await (await fetch(`${monitoring?.url}/metrics`)).text()).toContain('\nholdfast_wrong_prices 2\n');
  expect(shop.server.context.payments.offers).toEqual([{ level: 'basic', period: 'monthly' }]);
  const calls = shop.stripe.calls.length;
  for (const plan of ['power_monthly', 'starter_monthly'])
    expect(await shop.visit(browser, plan)).toBe(problem('not-for-sale'));
  expect(shop.stripe.calls).toHaveLength(calls);
  expect(await shop.visit(browser, 'basic_monthly')).toContain('/pay/');
});

test('a provider that is down or broken redirects back to the plans, and the next try works', async ({ shop }) => {
  const { browser } = await signUpAndIn(shop.server);
  for (const trouble of [500, 429, 402, 'dropped', 'not JSON'] as const) {
    shop.stripe.sufferAlways(trouble);
    expect(await shop.visit(browser, 'basic_monthly')).toBe(problem('unavailable'));
  }
  shop.stripe.sufferAlways({ lateMs: 300 });
  expect(await shop.visit(browser, 'basic_monthly')).toContain('/pay/');
});

test('a customer of another provider account is replaced at the next visit', async ({ shop, person }) => {
  await shop.visit(person.browser, 'basic_monthly');
  const before = await shop.customerOf(person);
  shop.stripe.state.customers.clear();
  shop.stripe.state.sessions.clear();
  expect(await shop.visit(person.browser, 'basic_monthly')).toContain('/pay/');
  expect(await shop.customerOf(person)).not.toBe(before);
});

test('a customer of another provider account can buy again once the plan has ended', async ({ shop, person }) => {
  await shop.buy(person, 'basic_monthly');
  shop.stripe.state.customers.clear();
  expect(await shop.visit(person.browser, 'power_monthly')).toContain(problem('unavailable'));
  shop.server.clock.advance(days(60));
  await shop.server.runJob('end-grace');
  await person.browser.client.login({ body: { email: person.email, password: goodPassword } });
  expect(await levelOf(person)).toBe('Free');
  await shop.buy(person, 'power_monthly');
  expect(await levelOf(person)).toBe('Power');
});
