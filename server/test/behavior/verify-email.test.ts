import { expect } from 'vitest';
import { goodPassword, cookieName } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { signUp, wrongCode } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const email = 'ada@example.com';
const rightCode = (server: TestServer) => server.mail.newestSecretFor(email);

async function isVerified(server: TestServer): Promise<boolean> {
  const row = await server.context.db.selectFrom('accounts').select('verified_at').executeTakeFirstOrThrow();
  return row.verified_at !== null;
}

test('the right code verifies the account, starts no session and clears its cookie', async ({ server }) => {
  const browser = await signUp(server, email);
  expect(await browser.client.verifyEmail({ body: { code: await rightCode(server) } })).toEqual({
    message: 'Code verified',
  });
  expect([...browser.cookies.keys()]).toEqual([]);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  await browser.client.login({ body: { email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.email).toBe(email);
  expect(await server.context.db.selectFrom('email_codes').selectAll().execute()).toEqual([]);
});

test('a code is valid for ten minutes and not a millisecond longer', async ({ server }) => {
  const late = await signUp(server, email);
  server.clock.advance(600_000);
  await expect(late.client.verifyEmail({ body: { code: await rightCode(server) } })).rejects.toMatchObject({
    status: 400,
    code: 'CODE_EXPIRED',
  });
  const inTime = await signUp(server, email);
  server.clock.advance(599_999);
  await inTime.client.verifyEmail({ body: { code: await rightCode(server) } });
});

test('a code works only in the browser that signed up, and once', async ({ server }) => {
  const browser = await signUp(server, email);
  const body = { code: await rightCode(server) };
  const startAgain = {
    status: 400,
    code: 'CODE_INVALID',
    serverMessage: expect.stringContaining('Start from sign-in'),
  };
  await expect(openBrowser(server).client.verifyEmail({ body })).rejects.toMatchObject(startAgain);
  const cookie = browser.cookies.get(cookieName(server, 'pending')) ?? '';
  await browser.client.verifyEmail({ body });
  browser.cookies.set(cookieName(server, 'pending'), cookie);
  await expect(browser.client.verifyEmail({ body })).rejects.toMatchObject({ status: 400, code: 'CODE_EXPIRED' });
});

test('the right code sent twenty times at once succeeds once', async ({ server }) => {
  const browser = await signUp(server, email);
  const code = await rightCode(server);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => browser.client.verifyEmail({ body: { code } })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('of 15 concurrent wrong codes five are checked, and then the right code is refused too', async ({ server }) => {
  const browser = await signUp(server, email);
  const code = await rightCode(server);
  const results = await Promise.allSettled(
    Array.from({ length: 15 }, () => browser.client.verifyEmail({ body: { code: wrongCode(code) } })),
  );
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'accepted'));
  expect(codes.filter((refusal) => refusal === 'CODE_INVALID')).toHaveLength(5);
  expect(codes.filter((refusal) => refusal === 'TOO_MANY_ATTEMPTS')).toHaveLength(10);
  await expect(browser.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ status: 429 });
  expect(await isVerified(server)).toBe(false);
});

test('five wrong codes are checked, and a new code allows five more', async ({ server }) => {
  const browser = await signUp(server, email);
  const guess = (code: string) => browser.client.verifyEmail({ body: { code } });
  for (let count = 0; count < 5; count += 1)
    await expect(guess(wrongCode(await rightCode(server)))).rejects.toMatchObject({ code: 'CODE_INVALID' });
  server.clock.advance(120_000);
  await browser.client.verifyEmail({ body: { resend_code_to: email } });
  for (let count = 0; count < 4; count += 1)
    await expect(guess(wrongCode(await rightCode(server)))).rejects.toMatchObject({ code: 'CODE_INVALID' });
  await guess(await rightCode(server));
});

test('the browser of an earlier sign-up cannot use up the guesses of a later one', async ({ server }) => {
  const earlier = await signUp(server, email, 'Third-Horse-9');
  const later = await signUp(server, email);
  const code = await rightCode(server);
  for (let count = 0; count < 50; count += 1)
    await expect(earlier.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ code: 'CODE_INVALID' });
  await later.client.verifyEmail({ body: { code } });
});

test('the code of one account does not verify another account', async ({ server }) => {
  const eve = await signUp(server, 'eve@example.com');
  await signUp(server, email);
  if ((await rightCode(server)) !== (await server.mail.newestSecretFor('eve@example.com')))
    await expect(eve.client.verifyEmail({ body: { code: await rightCode(server) } })).rejects.toMatchObject({
      code: 'CODE_INVALID',
    });
  expect(await isVerified(server)).toBe(false);
});

test.each([
  ['a changed byte', (cookie: string) => (cookie.startsWith('A') ? 'B' : 'A') + cookie.slice(1)],
  ['its end cut off', (cookie: string) => cookie.slice(0, -8)],
  ['nothing in it', () => ''],
  ['something invented', () => 'x.y.z'],
])('a cookie with %s verifies nothing', async (_what, forge) => {
  await using server = await startServer();
  const browser = await signUp(server, email);
  browser.cookies.set(cookieName(server, 'pending'), forge(browser.cookies.get(cookieName(server, 'pending')) ?? ''));
  await expect(browser.client.verifyEmail({ body: { code: await rightCode(server) } })).rejects.toMatchObject({
    code: 'CODE_INVALID',
  });
  expect(await isVerified(server)).toBe(false);
});

test.each([
  ['an empty code', { code: '' }, 'OTP is required'],
  ['a code of 5 characters', { code: '12345' }, 'OTP must be 6 digits'],
  ['a resend to a broken email', { resend_code_to: 'ada' }, 'Enter a valid email address'],
])('a verification with %s is refused with the message of its form', async (_what, body, message) => {
  const answer = await call(shared, '/api/v3/session/verify-email', { method: 'POST', body });
  expect(answer).toMatchObject({ status: 400, json: { success: false, error: { code: 'INVALID_INPUT', message } } });
});
