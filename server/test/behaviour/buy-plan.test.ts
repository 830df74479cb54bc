import { plans, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { startStripe } from '../../src/engines/payments/stripe-stand-in.ts';
import { days, seconds } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { startLimited } from '../harness/limited-server.ts';
import { cookiesOf, goTo, levelOf, openShop, payAt, planPath, type Shop, subscriptionOf } from '../harness/shop.ts';
import { startServer } from '../harness/start-server.ts';

const problem = (name: string) => `/plan-pricing?problem=${name}`;
const openSessions = ({ stripe }: Shop) =>
  [...stripe.state.sessions.values()].filter(({ status }) => status === 'open');
const alarms = ({ server }: Shop) => server.log.filter((line) => line.includes('ALARM'));

test('a plan is bought at a checkout, and its limits are there with the payment', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  expect(await subscriptionOf(person)).toBeNull();
  const checkout = await shop.visit(person.browser, 'basic_yearly');
  expect(checkout).toMatch(`${shop.stripe.url}/pay/`);
  expect(await levelOf(person)).toBe('Free');
  expect(await payAt(checkout)).toBe(`${shop.server.context.origins.app}/dashboard/plan-info?checkout=paid`);
  await shop.stripe.delivered();
  const { account } = await person.browser.client.getAccountInfo();
  expect(account.info.level).toBe('Basic');
  expect(account.limits.space_quota).toBe(plans.basic.spaceQuota);
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

test('whoever pays is led to the portal from then on, whatever plan they ask for', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, 'starter_monthly');
  const portal = `${shop.stripe.url}/portal/${await shop.customerOf(person)}`;
  for (const plan of [undefined, 'power_yearly', 'starter_monthly'])
    expect(await shop.visit(person.browser, plan)).toContain(portal);
  expect(openSessions(shop)).toEqual([]);
});

test('an open checkout is reused, and one for another plan is closed', async () => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  const first = await shop.visit(browser, 'basic_monthly');
  expect(await shop.visit(browser, 'basic_monthly')).toBe(first);
  const other = await shop.visit(browser, 'power_monthly');
  expect(other).not.toBe(first);
  expect(openSessions(shop)).toMatchObject([{ price: 'price_power_monthly' }]);
});

test('two tabs at once, and twenty, open one checkout', async () => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  const urls = await Promise.all(Array.from({ length: 20 }, () => shop.visit(browser, 'basic_monthly')));
  expect(new Set(urls).size).toBe(1);
  expect(openSessions(shop)).toHaveLength(1);
  expect(shop.stripe.state.customers.size).toBe(1);
  const different = await Promise.all(['basic_monthly', 'power_yearly'].map((plan) => shop.visit(browser, plan)));
  expect(new Set(different).size).toBe(2);
  expect(openSessions(shop)).toHaveLength(1);
});

test('a purchase whose event has not come yet leaves no second checkout open', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  shop.stripe.deliverTo(null);
  await payAt(await shop.visit(person.browser, 'basic_monthly'));
  expect(await shop.visit(person.browser, 'power_monthly')).toContain('/portal/');
  expect(openSessions(shop)).toEqual([]);
  expect(await levelOf(person)).toBe('Basic');
});

test('who comes back before the event sees what they have bought', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  shop.stripe.deliverTo(null);
  await payAt(await shop.visit(person.browser, 'basic_monthly'));
  shop.server.clock.advance(seconds(4));
  expect(await subscriptionOf(person)).toMatchObject({ level: 'Basic' });
  expect(await levelOf(person)).toBe('Basic');
});

test('who comes back from the portal before the event sees what they have changed', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
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

test('of thirty who ask at once for what was just paid one asks the provider, also while it fails', async () => {
  await using shop = await openShop();
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

test('of two subscriptions that came about all the same the better one stays, and the operator is told', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, 'basic_monthly');
  const better = shop.stripe.state.subscribe(await shop.customerOf(person), 'price_power_monthly');
  await shop.stripe.delivered();
  const live = [...shop.stripe.state.subscriptions.values()].filter(({ status }) => status === 'active');
  expect(live).toEqual([better]);
  expect(await levelOf(person)).toBe('Power');
  expect(alarms(shop)).toHaveLength(1);
  expect(alarms(shop)[0]).toContain('two subscriptions');
});

test('a plan that only the operator gave has no portal, and the page says so', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server, { plan: 'basic' });
  for (const plan of [undefined, 'starter_monthly', 'basic_yearly'])
    expect(await shop.visit(person.browser, plan)).toBe(problem('granted'));
  await shop.buy(person, 'power_monthly');
  expect(await levelOf(person)).toBe('Power');
  expect(await shop.visit(person.browser)).toContain('/portal/');
});

test('on Free there is nothing to manage, so one is led to the plans', async () => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  expect(await shop.visit(browser)).toBe('/plan-pricing');
  await shop.visit(browser, 'basic_monthly');
  expect(await shop.visit(browser)).toBe('/plan-pricing');
});

test.each(['gold_monthly', 'basic', 'basic_weekly', 'free_monthly', '', '__proto__', 'basic_monthly,power_yearly'])(
  'a plan that there is not leads back to the plans: %j',
  async (plan) => {
    await using shop = await openShop();
    const { browser } = await signUpAndIn(shop.server);
    expect(await shop.visit(browser, plan)).toBe(problem('unknown-plan'));
    expect(shop.stripe.calls).toEqual([]);
  },
);

test('only plans with a price are for sale, and without payments none', async () => {
  await using shop = await openShop({ STRIPE_PRICES: 'basic_monthly=price_basic_monthly' });
  const { browser } = await signUpAndIn(shop.server);
  expect(await shop.visit(browser, 'basic_yearly')).toBe(problem('not-for-sale'));
  expect(await shop.visit(browser, 'basic_monthly')).toContain('/pay/');
  await using server = await startServer();
  const other = await signUpAndIn(server);
  for (const query of ['', '?plan=basic_monthly']) {
    const headers = { Cookie: cookiesOf(other.browser), 'Sec-Fetch-Site': 'none' };
    const answer = await goTo(server, subscriptionPath + query, headers);
    expect([answer.status, answer.headers.location]).toEqual([303, problem('not-for-sale')]);
  }
});

test('a provider that is down, slow or out of its mind leads back to the plans, and the next try works', async () => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  for (const trouble of [500, 429, 402, 'dropped', 'not JSON'] as const) {
    shop.stripe.sufferAlways(trouble);
    expect(await shop.visit(browser, 'basic_monthly')).toBe(problem('unavailable'));
  }
  shop.stripe.sufferAlways({ lateMs: 300 });
  expect(await shop.visit(browser, 'basic_monthly')).toContain('/pay/');
});

test('who is signed out is led to sign in, also with the cookie of an ended session', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  const kept = new Map(person.browser.cookies);
  await person.browser.client.logout();
  for (const [name, value] of kept) person.browser.cookies.set(name, value);
  for (const browser of [openBrowser(shop.server), person.browser])
    for (const plan of [undefined, 'basic_monthly']) expect(await shop.visit(browser, plan)).toBe('/sign-in');
  expect(shop.stripe.calls).toEqual([]);
});

test.each<[string, Record<string, string>, boolean]>([
  ['a page of ours', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }, true],
  ['an address that was typed', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }, true],
  ['another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }, false],
  ['a sibling of our host', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate' }, false],
  ['an image', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' }, false],
  ['an older browser on a page of ours', { Referer: 'OURS/plan-pricing' }, true],
  ['an older browser on another site', { Referer: 'https://evil.example/' }, false],
  ['an older browser on a host that begins like ours', { Referer: 'OURS.evil.example/' }, false],
  ['an older browser with another origin', { Origin: 'https://evil.example', Referer: 'OURS/' }, false],
  ['an older browser that does not say', {}, false],
  ['an older browser that writes nonsense', { Referer: 'nonsense' }, false],
])('from %s', async (_name, headers, isLet) => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', shop.server.url)] as const);
  const answer = await goTo(shop.server, planPath('basic_monthly'), {
    Cookie: cookiesOf(browser),
    ...Object.fromEntries(sent),
  });
  expect(answer.status).toBe(303);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers.location).toContain(isLet ? '/pay/' : problem('other-site'));
  expect(shop.stripe.state.sessions.size).toBe(isLet ? 1 : 0);
});

test.each([
  { 'Sec-Purpose': 'prefetch' },
  { 'Sec-Purpose': 'prefetch;prerender' },
  { Purpose: 'prefetch' },
  { 'X-Moz': 'prefetch' },
])('a browser that fetches ahead opens nothing: %j', async (headers) => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  const typed = { Cookie: cookiesOf(browser), 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' };
  // No page either: it would be shown to whoever does go there.
  const ahead = await goTo(shop.server, planPath('basic_monthly'), { ...typed, ...headers });
  expect([ahead.status, ahead.headers.location, ahead.headers['cache-control']]).toEqual([503, undefined, 'no-store']);
  expect(shop.stripe.calls).toEqual([]);
  expect((await goTo(shop.server, planPath('basic_monthly'), typed)).headers.location).toContain('/pay/');
});

test('one account cannot use up what the provider answers', async () => {
  await using stripe = await startStripe();
  await using server = await startLimited(stripe.environment);
  const { browser } = await signUpAndIn(server);
  const visit = async (plan?: string) => {
    server.clock.advance(100);
    const headers = { 'Sec-Fetch-Site': 'none', Cookie: cookiesOf(browser) };
    return (await goTo(server, planPath(plan), headers)).headers.location ?? '';
  };
  for (let turn = 0; turn < 20; turn += 1) expect(await visit('basic_monthly')).toContain('/pay/');
  const calls = stripe.calls.length;
  for (const plan of [undefined, 'basic_monthly', 'power_yearly']) expect(await visit(plan)).toBe(problem('busy'));
  expect(stripe.calls).toHaveLength(calls);
  server.clock.advance(seconds(6));
  expect(await visit('basic_monthly')).toContain('/pay/');
});

test('who is not signed in reaches a limit soon and is led to a page too, and who is reaches none', async () => {
  await using server = await startLimited();
  const { browser } = await signUpAndIn(server);
  server.clock.advance(seconds(10));
  const visit = (Cookie: string) => goTo(server, subscriptionPath, { 'Sec-Fetch-Site': 'none', Cookie });
  for (const [cookie, isLimited] of [
    ['', true],
    [cookiesOf(browser), false],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 12 }, () => visit(cookie)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(answers.some(({ headers }) => headers.location === problem('busy'))).toBe(isLimited);
  }
});

test('a key alone has no subscription to ask for', async () => {
  await using shop = await openShop();
  const { apiKey } = await signUpAndIn(shop.server);
  const answer = await call(shop.server, '/api/v3/session/get-subscription', { headers: { 'X-API-Key': apiKey } });
  expect(answer.status).toBe(401);
});

test('a customer of another account of the operator is replaced, and keeps a plan until then', async () => {
  await using shop = await openShop();
  const person = await signUpAndIn(shop.server);
  await shop.visit(person.browser, 'basic_monthly');
  const before = await shop.customerOf(person);
  shop.stripe.state.customers.clear();
  shop.stripe.state.sessions.clear();
  expect(await shop.visit(person.browser, 'basic_monthly')).toContain('/pay/');
  expect(await shop.customerOf(person)).not.toBe(before);
});
