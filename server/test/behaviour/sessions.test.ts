import { expect, test } from 'vitest';
import { goodPassword, signUpAndIn, cookieName } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

const day = 86_400_000;
const signedOut = { status: 401, code: 'AUTH_REQUIRED' };

test('the session cookie is HttpOnly, SameSite=Lax and lasts 30 days', async () => {
  await using server = await startServer();
  const { email } = await signUpAndIn(server);
  const answer = await call(server, '/api/v3/session/login', {
    method: 'POST',
    body: { email, password: goodPassword },
  });
  expect(answer.headers.getSetCookie().at(-1)).toMatch(
    /^holdfast-session-\d+=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
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
    new Set(['__Host-holdfast-pending', '__Host-holdfast-session']),
  );
  for (const cookie of seen) expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
});

test('under https a cookie without the prefix is not believed', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://files.example.com' });
  const { browser } = await signUpAndIn(server);
  const token = browser.cookies.get('__Host-holdfast-session');
  const info = (Cookie: string) => call(server, '/api/v3/rest/get-account-info', { headers: { Cookie } });
  expect(await info(`__Host-holdfast-session=${token}`)).toMatchObject({ status: 200 });
  expect(await info(`${cookieName(server, 'session')}=${token}`)).toMatchObject({ status: 401 });
});

test('a session ends after 14 days without a visit', async () => {
  await using server = await startServer();
  const { browser } = await signUpAndIn(server);
  server.clock.advance(14 * day - 1);
  await browser.client.getAccountInfo();
  server.clock.advance(14 * day - 1);
  await browser.client.getAccountInfo();
  const idle = await signUpAndIn(server);
  server.clock.advance(14 * day);
  await expect(idle.browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('a session ends after 30 days however often it is used', async () => {
  await using server = await startServer();
  const { browser } = await signUpAndIn(server);
  for (let passed = 1; passed < 30; passed += 1) {
    server.clock.advance(day);
    await browser.client.getAccountInfo();
  }
  server.clock.advance(day - 1);
  await browser.client.getAccountInfo();
  server.clock.advance(1);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('logging out ends the session for everyone who holds its cookie, and may be repeated', async () => {
  await using server = await startServer();
  const { browser } = await signUpAndIn(server);
  const copied = new Map(browser.cookies);
  await browser.client.logout();
  expect([...browser.cookies.keys()]).toEqual([]);
  for (const [name, value] of copied) browser.cookies.set(name, value);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await browser.client.logout();
});

test('logging out in one browser leaves the others signed in', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  const other = openBrowser(server);
  await other.client.login({ body: { email, password: goodPassword } });
  await other.client.logout();
  await browser.client.getAccountInfo();
});

test('signing in replaces the session that the browser had', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  const before = browser.cookies.get(cookieName(server, 'session')) ?? '';
  await browser.client.login({ body: { email, password: goodPassword } });
  expect(browser.cookies.get(cookieName(server, 'session'))).not.toBe(before);
  await browser.client.getAccountInfo();
  browser.cookies.set(cookieName(server, 'session'), before);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('a token that someone planted does not become a session', async () => {
  await using server = await startServer();
  const { email } = await signUpAndIn(server);
  const planted = 'A'.repeat(43);
  const victim = openBrowser(server);
  victim.cookies.set(cookieName(server, 'session'), planted);
  await victim.client.login({ body: { email, password: goodPassword } });
  victim.cookies.set(cookieName(server, 'session'), planted);
  await expect(victim.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('the database holds no password, code, session token or API key that could be used', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await uploadFile(server, account);
  const waiting = await signUp(server, 'waiting@example.com', 'Waiting-Password-1');
  const { db } = server.context;
  const rows = [];
  for (const table of ['accounts', 'sessions', 'email_codes', 'letters', 'spent_challenges', 'blobs', 'files'] as const)
    rows.push(...(await db.selectFrom(table).selectAll().execute()));
  const values = rows.flatMap((row) => Object.values(row)).map(String);
  expect(values).toContain('waiting@example.com');
  const secrets = [
    goodPassword,
    'Waiting-Password-1',
    await server.mail.newestSecretFor('waiting@example.com'),
    account.browser.cookies.get(cookieName(server, 'session')),
    waiting.cookies.get(cookieName(server, 'pending')),
    account.apiKey,
  ];
  for (const secret of secrets) {
    expect(secret).toBeTruthy();
    expect(values.filter((value) => value.includes(secret ?? ''))).toEqual([]);
  }
});

/** A browser that says what it is, signed in. */
async function signInWith(server: TestServer, email: string, agent: string): Promise<Browser> {
  const browser = openBrowser(server, { 'User-Agent': agent });
  await browser.client.login({ body: { email, password: goodPassword } });
  return browser;
}

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:135.0) Gecko/20100101 Firefox/135.0';
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) Version/18.3 Mobile/15E148 Safari/604.1';

async function sessionsOf({ client }: Browser) {
  return (await client.getSessions()).sessions;
}

test('an account sees where it is signed in: device, address and times, the asking browser first', async () => {
  await using server = await startServer();
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

test('the address is the one that was seen last', async () => {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.1' });
  const { browser } = await signUpAndIn(server);
  const headers = { 'X-Forwarded-For': '203.0.113.7' };
  await browser.fetch('/api/v3/rest/get-account-info', { headers });
  const answer = await browser.fetch('/api/v3/session/get-sessions', { headers });
  expect(await answer.json()).toMatchObject({ sessions: [{ address: '203.0.113.7' }] });
});

test('the id of a session lets nobody in', async () => {
  await using server = await startServer();
  const { browser } = await signUpAndIn(server);
  const token = browser.cookies.get(cookieName(server, 'session')) ?? '';
  const [own] = await sessionsOf(browser);
  expect(JSON.stringify(await sessionsOf(browser))).not.toContain(token);
  const Cookie = `${cookieName(server, 'session')}=${own?.id}`;
  expect(await call(server, '/api/v3/rest/get-account-info', { headers: { Cookie } })).toMatchObject({ status: 401 });
});

test('ending one session by its id leaves the others', async () => {
  await using server = await startServer();
  const { email, browser } = await signUpAndIn(server);
  const other = await signInWith(server, email, firefox);
  const third = await signInWith(server, email, safari);
  const wanted = (await sessionsOf(browser)).find(({ device }) => device === 'Firefox on Windows')?.id ?? '';
  expect(await browser.client.endSessions({ body: { session: wanted } })).toEqual({ ended: 1 });
  expect(await browser.client.endSessions({ body: { session: wanted } })).toEqual({ ended: 0 });
  await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await third.client.getAccountInfo();
  expect(await sessionsOf(browser)).toHaveLength(2);
});

test('a browser that ends its own session by its id loses its cookie', async () => {
  await using server = await startServer();
  const { browser } = await signUpAndIn(server);
  const [own] = await sessionsOf(browser);
  expect(await browser.client.endSessions({ body: { session: own?.id ?? '' } })).toEqual({ ended: 1 });
  expect(browser.cookies.has(cookieName(server, 'session'))).toBe(false);
});

test('ending all others keeps the one that asks, and ends nobody else', async () => {
  await using server = await startServer();
  const { email, browser } = await signUpAndIn(server);
  const stranger = await signUpAndIn(server);
  const others = [await signInWith(server, email, firefox), await signInWith(server, email, safari)];
  expect(await browser.client.endSessions({ body: { others: true } })).toEqual({ ended: 2 });
  for (const other of others) await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  expect(await sessionsOf(browser)).toMatchObject([{ is_current: true }]);
  await stranger.browser.client.getAccountInfo();
});

test("nobody ends another account's session", async () => {
  await using server = await startServer();
  const [ada, eve] = [await signUpAndIn(server), await signUpAndIn(server)];
  const [wanted] = await sessionsOf(ada.browser);
  const tried = await eve.browser.client.endSessions({ body: { session: wanted?.id ?? '' } });
  expect(tried).toEqual({ ended: 0 });
  await ada.browser.client.getAccountInfo();
});

test.each([{}, { others: false }, { session: 5 }, { session: 'a'.repeat(101) }])('%j ends nothing', async (body) => {
  await using server = await startServer();
  const { email, browser } = await signUpAndIn(server);
  await signInWith(server, email, firefox);
  const sent = browser.client.endSessions({ body: body as { others: true } });
  await expect(sent).rejects.toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  expect(await sessionsOf(browser)).toHaveLength(2);
});

test('sessions that have run out are not listed, and the next sign-in removes them', async () => {
  await using server = await startServer();
  const { email } = await signUpAndIn(server);
  await signInWith(server, email, firefox);
  server.clock.advance(14 * day);
  const browser = await signInWith(server, email, safari);
  expect(await sessionsOf(browser)).toHaveLength(1);
  expect(await server.context.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
});

interface Ending {
  readonly what: string;
  /** Done by another browser of the same account, but for the log-out. */
  readonly end: (server: TestServer, own: Browser, other: Browser, email: string) => Promise<unknown>;
}

test.each<Ending>([
  { what: 'logging out', end: (_server, own) => own.client.logout() },
  {
    what: 'a password change elsewhere',
    end: (_server, _own, { client }) =>
      client.changePassword({ body: { old_password: goodPassword, new_password: newPassword } }),
  },
  {
    what: 'a password reset',
    end: async (server, _own, { client }, email) => {
      await client.requestPasswordReset({ body: { email } });
      await client.resetPassword(resetForm(await newestResetKey(server, email)));
    },
  },
  {
    what: 'being ended with all others',
    end: (_server, _own, { client }) => client.endSessions({ body: { others: true } }),
  },
  {
    what: 'being ended by its id',
    end: async (_server, own, { client }) =>
      client.endSessions({ body: { session: (await sessionsOf(own))[0]?.id ?? '' } }),
  },
  {
    what: 'ending itself by its id',
    end: async (_server, { client }) =>
      client.endSessions({ body: { session: (await client.getSessions()).sessions[0]?.id ?? '' } }),
  },
  { what: 'deleting the account', end: (_server, _own, { client }) => client.deleteAccount() },
])('after $what its cookie opens no session call and no account call', async ({ end }) => {
  await using server = await startServer();
  const { email, browser } = await signUpAndIn(server);
  const other = await signInWith(server, email, firefox);
  const cookie = browser.cookies.get(cookieName(server, 'session')) ?? '';
  await end(server, browser, other, email);
  browser.cookies.set(cookieName(server, 'session'), cookie);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await expect(browser.client.getFileList({ query: {} })).rejects.toMatchObject(signedOut);
  await expect(browser.client.changeApiKey()).rejects.toMatchObject(signedOut);
  await expect(browser.client.deleteAccount()).rejects.toMatchObject(signedOut);
  await expect(browser.client.getSessions()).rejects.toMatchObject(signedOut);
});
