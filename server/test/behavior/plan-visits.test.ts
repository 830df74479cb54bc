import { subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { expect } from 'vitest';
import { startStripe } from '@holdfast/test-support/stand-ins/stripe.ts';
import { seconds } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { startLimited } from '../harness/limited-server.ts';
import { cookiesOf, goTo, openShop, planPath, shopTest as test } from '../harness/shop.ts';

const problem = (name: string) => `/plan-pricing?problem=${name}`;

test('a signed-out visitor is redirected to sign-in, also with the cookie of an ended session', async ({ shop }) => {
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

test('a link of a page that shows another account opens no payment and no portal', async ({ shop, person }) => {
  const { account } = await person.browser.client.getAccountInfo();
  const other = await signUpAndIn(shop.server);
  const visit = async (query: Record<string, string>) => {
    const path = `${subscriptionPath}?${new URLSearchParams(query).toString()}`;
    const headers = { Cookie: cookiesOf(other.browser), 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' };
    return (await goTo(shop.server, path, headers)).headers.location;
  };
  for (const plan of [{ plan: 'power_yearly' }, {}])
    for (const id of [account.id ?? '', '', 'nobody'])
      expect(await visit({ ...plan, account: id })).toBe(problem('other-account'));
  expect(shop.stripe.calls).toEqual([]);
  const own = (await other.browser.client.getAccountInfo()).account.id ?? '';
  expect(await visit({ plan: 'power_yearly', account: own })).toContain('/pay/');
});

test.each([
  { 'Sec-Purpose': 'prefetch' },
  { 'Sec-Purpose': 'prefetch;prerender' },
  { Purpose: 'prefetch' },
  { 'X-Moz': 'prefetch' },
])('a prefetch opens no checkout: %j', async (headers) => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  const typed = { Cookie: cookiesOf(browser), 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' };
  // No page either: a later real visit would show it.
  const ahead = await goTo(shop.server, planPath('basic_monthly'), { ...typed, ...headers });
  expect([ahead.status, ahead.headers.location, ahead.headers['cache-control']]).toEqual([503, undefined, 'no-store']);
  expect(shop.stripe.calls).toEqual([]);
  expect((await goTo(shop.server, planPath('basic_monthly'), typed)).headers.location).toContain('/pay/');
});

test('one account cannot use up the requests to the provider', async () => {
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

test('a signed-out visitor exceeds a limit that a signed-in user does not', async () => {
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
