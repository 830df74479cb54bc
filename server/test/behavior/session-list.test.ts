import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { findSession, openSessionOf, startSession } from '../../src/accounts/sessions.ts';
import { openCookieJar } from '../../src/http/cookies.ts';
import { minutes } from '../../src/lib/clock.ts';
import { cookieName, signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { firefox, safari, sessionsOf, signInWith } from '../harness/sessions.ts';
import { startServer } from '../harness/start-server.ts';
import { watchStatements } from '../harness/watched-statements.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const day = 86_400_000;
const signedOut = { status: 401, code: 'AUTH_REQUIRED' };

test('the session list shows device, address and times, the current session first', async ({ server }) => {
  const { email, browser } = await signUpAndIn(server);
  await signUpAndIn(server);
  await browser.client.logout();
  const began = new Date(server.clock.now()).toISOString();
  const mine = await signInWith(server, email, firefox);
  server.clock.advance(day);
  const later = new Date(server.clock.now()).toISOString();
  await signInWith(server, email, safari);
  const entry = { id: expect.stringMatching(/^[0-9A-Za-z]{22}$/), address: '127.0.0.1' };
  expect(await sessionsOf(mine)).toEqual([
    { ...entry, device: 'Firefox on Windows', time_created: began, last_seen: later, is_current: true },
    { ...entry, device: 'Safari on iPhone', time_created: later, last_seen: later, is_current: false },
  ]);
});

test('the 21st sign-in ends the session that began first, in this account only', async ({ server }) => {
  const [{ email, browser }, other] = [await signUpAndIn(server), await signUpAndIn(server)];
  const { id } = await server.context.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  server.clock.advance(1);
  const second = await signInWith(server, email, safari);
  for (let at = 0; at < 18; at += 1) await startSession(server.context, id, { address: '', agent: firefox });
  expect(await sessionsOf(browser)).toHaveLength(20);
  server.clock.advance(1);
  const last = await signInWith(server, email, firefox);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  expect(await sessionsOf(second)).toHaveLength(20);
  expect((await sessionsOf(last))[0]).toMatchObject({ is_current: true });
  await other.browser.client.getAccountInfo();
});

test('the address of a session is the last one seen, to a minute, and an IPv6 network is one address', async () => {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.1' });
  const { email, browser } = await signUpAndIn(server);
  const other = await signInWith(server, email, firefox);
  const callFrom = (address: string, path: string = endpoints.getAccountInfo.path) =>
    browser.fetch(path, { headers: { 'X-Forwarded-For': address } });
  const listed = async () => (await sessionsOf(other)).find(({ is_current }) => !is_current)?.address;
  await callFrom('203.0.113.7');
  expect(await listed()).toBe('127.0.0.1');
  server.clock.advance(minutes(1) + 1);
  await callFrom('203.0.113.7');
  expect(await listed()).toBe('203.0.113.7');
  await callFrom('2001:db8::1');
  expect(await listed()).toBe('203.0.113.7');
  server.clock.advance(minutes(1) + 1);
  await callFrom('2001:db8::1');
  expect(await listed()).toBe('2001:db8::1');
  server.clock.advance(minutes(1) + 1);
  await callFrom('2001:db8::2');
  expect(await listed()).toBe('2001:db8::1');
  // The current session has the address that the list is requested from.
  expect(await (await callFrom('203.0.113.9', endpoints.getSessions.path)).json()).toMatchObject({
    sessions: [{ is_current: true, address: '203.0.113.9' }, { address: '127.0.0.1' }],
  });
});

test('a session whose address changes with each call is recorded once a minute, and not by a look-up', async ({
  server,
}) => {
  const { context } = server;
  const { browser } = await signUpAndIn(server);
  const token = browser.cookies.get(cookieName(server, 'session')) ?? '';
  const cookies = openCookieJar(`${cookieName(server, 'session')}=${token}`, context.config.origins.app, () => {});
  let writes = 0;
  const db = watchStatements(context.db, {
    before: (statement) => void (writes += Number(statement.startsWith('UpdateQueryNode'))),
  });
  const watched = { ...context, db };
  const writesOfCalls = async () => {
    writes = 0;
    expect(await findSession(watched, cookies)).toBeDefined();
    expect(writes).toBe(0);
    const addresses = Array.from({ length: 20 }, (_, at) => `203.0.113.${at}`);
    const found = await Promise.all(addresses.map((address) => openSessionOf(watched, cookies, { address })));
    expect(found.every((session) => session !== undefined)).toBe(true);
    return writes;
  };
  expect(await writesOfCalls()).toBe(0);
  server.clock.advance(minutes(1) + 1);
  const noted = async () => (await context.db.selectFrom('accounts').select('last_active_at').execute())[0];
  await writesOfCalls();
  expect(await noted()).toEqual({ last_active_at: server.clock.now() });
  expect(await writesOfCalls()).toBe(0);
});

test('the id of a session cannot be used as its token', async ({ server, account: { browser } }) => {
  const token = browser.cookies.get(cookieName(server, 'session')) ?? '';
  const [own] = await sessionsOf(browser);
  expect(JSON.stringify(await sessionsOf(browser))).not.toContain(token);
  const Cookie = `${cookieName(server, 'session')}=${own?.id}`;
  expect(await call(server, '/api/v3/rest/get-account-info', { headers: { Cookie } })).toMatchObject({ status: 401 });
});

test('ending one session by its id keeps the others', async ({ server, account: { email, browser } }) => {
  const other = await signInWith(server, email, firefox);
  const third = await signInWith(server, email, safari);
  const wanted = (await sessionsOf(browser)).find(({ device }) => device === 'Firefox on Windows')?.id ?? '';
  expect(await browser.client.endSessions({ body: { session: wanted } })).toEqual({ ended: 1 });
  expect(await browser.client.endSessions({ body: { session: wanted } })).toEqual({ ended: 0 });
  await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await third.client.getAccountInfo();
  expect(await sessionsOf(browser)).toHaveLength(2);
});

test('a browser that ends its own session by its id loses its cookie', async ({ server, account: { browser } }) => {
  const [own] = await sessionsOf(browser);
  expect(await browser.client.endSessions({ body: { session: own?.id ?? '' } })).toEqual({ ended: 1 });
  expect(browser.cookies.has(cookieName(server, 'session'))).toBe(false);
});

test('ending all others keeps the current session and those of other accounts', async ({ server }) => {
  const { email, browser } = await signUpAndIn(server);
  const stranger = await signUpAndIn(server);
  const others = [await signInWith(server, email, firefox), await signInWith(server, email, safari)];
  expect(await browser.client.endSessions({ body: { others: true } })).toEqual({ ended: 2 });
  for (const other of others) await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  expect(await sessionsOf(browser)).toMatchObject([{ is_current: true }]);
  await stranger.browser.client.getAccountInfo();
});

test('a session of another account cannot be ended', async ({ server }) => {
  const [ada, eve] = [await signUpAndIn(server), await signUpAndIn(server)];
  const [wanted] = await sessionsOf(ada.browser);
  const tried = await eve.browser.client.endSessions({ body: { session: wanted?.id ?? '' } });
  expect(tried).toEqual({ ended: 0 });
  await ada.browser.client.getAccountInfo();
});

test.each([{}, { others: false }, { session: 5 }, { session: 'a'.repeat(101) }])('%j is refused', async (body) => {
  const { email, browser } = await signUpAndIn(shared);
  await signInWith(shared, email, firefox);
  const sent = browser.client.endSessions({ body: body as { others: true } });
  await expect(sent).rejects.toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  expect(await sessionsOf(browser)).toHaveLength(2);
});

test('expired sessions are not listed, and are deleted by the job', async ({ server, account: { email } }) => {
  await signInWith(server, email, firefox);
  server.clock.advance(14 * day);
  const browser = await signInWith(server, email, safari);
  expect(await sessionsOf(browser)).toHaveLength(1);
  await server.runJob('delete-expired');
  expect(await server.context.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
});
