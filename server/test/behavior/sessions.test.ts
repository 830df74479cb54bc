import { expect } from 'vitest';
import { goodPassword, signUpAndIn, cookieName } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const day = 86_400_000;
const signedOut = { status: 401, code: 'AUTH_REQUIRED' };

test('the session cookie is HttpOnly, SameSite=Lax and lasts 30 days', async ({ server, account: { email } }) => {
  const answer = await call(server, '/api/v3/session/login', {
    method: 'POST',
    body: { email, password: goodPassword },
  });
  const [session, known] = answer.headers.getSetCookie();
  expect(session).toMatch(/^holdfast-session-\d+=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
  // The other cookie signs no one in; it identifies this browser to the limit on wrong passwords.
  expect(known).toMatch(/^holdfast-known-\d+=[^;]{40}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/);
});

test('under https every cookie is Secure and bound to this host', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://files.example.com' });
  const browser = openBrowser(server);
  const seen: string[] = [];
  const post = async (path: string, body: object) => {
    const answer = await browser.fetch(`/api/v3/session/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    seen.push(...answer.headers.getSetCookie());
  };
  const email = 'ada@example.com';
  await post('create-account', { email, password: goodPassword, password2: goodPassword });
  await post('verify-email', { code: await server.mail.newestSecretFor(email) });
  await post('login', { email, password: goodPassword });
  await post('logout', {});
  expect(new Set(seen.map((cookie) => cookie.split('=')[0]))).toEqual(
    new Set(['__Host-holdfast-pending', '__Host-holdfast-session', '__Host-holdfast-known']),
  );
  for (const cookie of seen) expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
});

test('under https a cookie without the prefix is ignored', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://files.example.com' });
  const { browser } = await signUpAndIn(server);
  const token = browser.cookies.get('__Host-holdfast-session');
  const info = (Cookie: string) => call(server, '/api/v3/rest/get-account-info', { headers: { Cookie } });
  expect(await info(`__Host-holdfast-session=${token}`)).toMatchObject({ status: 200 });
  expect(await info(`${cookieName(server, 'session')}=${token}`)).toMatchObject({ status: 401 });
});

test('a session ends after 14 days without a visit', async ({ server, account: { browser } }) => {
  server.clock.advance(14 * day - 1);
  await browser.client.getAccountInfo();
  server.clock.advance(14 * day - 1);
  await browser.client.getAccountInfo();
  const idle = await signUpAndIn(server);
  server.clock.advance(14 * day);
  await expect(idle.browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('a session ends after 30 days, even if it is used every day', async ({ server, account: { browser } }) => {
  for (let passed = 1; passed < 30; passed += 1) {
    server.clock.advance(day);
    await browser.client.getAccountInfo();
  }
  server.clock.advance(day - 1);
  await browser.client.getAccountInfo();
  server.clock.advance(1);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('logging out ends the session for all holders of its cookie, and may be repeated', async ({ server }) => {
  const { browser } = await signUpAndIn(server);
  const copied = new Map(browser.cookies);
  await browser.client.logout();
  expect([...browser.cookies.keys()]).toEqual([cookieName(server, 'known')]);
  for (const [name, value] of copied) browser.cookies.set(name, value);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await browser.client.logout();
});

test('signing in replaces the session of the browser', async ({ server, account: { browser, email } }) => {
  const before = browser.cookies.get(cookieName(server, 'session')) ?? '';
  await browser.client.login({ body: { email, password: goodPassword } });
  expect(browser.cookies.get(cookieName(server, 'session'))).not.toBe(before);
  await browser.client.getAccountInfo();
  browser.cookies.set(cookieName(server, 'session'), before);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('a planted token does not become a session', async ({ server, account: { email } }) => {
  const planted = 'A'.repeat(43);
  const victim = openBrowser(server);
  victim.cookies.set(cookieName(server, 'session'), planted);
  await victim.client.login({ body: { email, password: goodPassword } });
  victim.cookies.set(cookieName(server, 'session'), planted);
  await expect(victim.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});
