import { createClient } from '@holdfast/contract/src/client.ts';
import { expect } from 'vitest';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { canSignIn, newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { solvedToken } from '../harness/solved-token.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const invalid = { status: 400, code: 'RESET_KEY_INVALID' };

async function askForKey(server: TestServer, email: string): Promise<string> {
  await openBrowser(server).client.requestPasswordReset({ body: { email } });
  return newestResetKey(server, email);
}

const reset = (server: TestServer, key: string, password = newPassword) =>
  openBrowser(server).client.resetPassword(resetForm(key, password));

test('the emailed link leads to the page of this site and its key sets a new password', async () => {
  await using server = await startServer({ PUBLIC_URL: 'http://files.example.com' });
  const { email } = await signUpAndIn(server);
  const key = await askForKey(server, email);
  expect(await server.mail.newestSecretFor(email)).toBe(`http://files.example.com/reset-password#key=${key}`);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  expect(await reset(server, key)).toEqual({});
  expect(await canSignIn(server, email, goodPassword)).toBe(false);
  expect(await canSignIn(server, email, newPassword)).toBe(true);
});

test('a reset ends every session, starts none, and replaces the API key', async ({ server }) => {
  const { email, browser, byKey } = await signUpAndIn(server);
  const key = await askForKey(server, email);
  await browser.client.resetPassword(resetForm(key));
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  await expect(byKey.getAccountInfo()).rejects.toMatchObject({ status: 401, code: 'AUTH_INVALID_KEY' });
  const told = (await server.mail.emails()).findLast(({ to }) => to === email);
  expect(told?.text).toContain('Your API key was changed too.');
  await browser.client.login({ body: { email, password: newPassword } });
  const { account } = await browser.client.getAccountInfo();
  await createClient(fetch, { origin: server.url, apiKey: account.info.api_key }).getAccountInfo();
});

test('of ten concurrent uses of one key one succeeds and sets its password', async ({ server, account: { email } }) => {
  const key = await askForKey(server, email);
  const wanted = Array.from({ length: 10 }, (_, i) => `Another-Horse-${i}`);
  const results = await Promise.allSettled(wanted.map((password) => reset(server, key, password)));
  const won = wanted.filter((_, i) => results[i]?.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(await canSignIn(server, email, won[0])).toBe(true);
  for (const result of results.filter(({ status }) => status === 'rejected'))
    expect(result).toMatchObject({ reason: invalid });
  const told = (await server.mail.emails()).filter(({ subject }) => subject.includes('was changed'));
  expect(told).toHaveLength(1);
  await expect(reset(server, key)).rejects.toMatchObject(invalid);
});

test('a key is valid for 30 minutes and not a millisecond longer', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const [early, late] = [await askForKey(server, ada.email), await askForKey(server, ben.email)];
  server.clock.advance(30 * 60_000 - 1);
  await reset(server, early);
  server.clock.advance(1);
  await expect(reset(server, late)).rejects.toMatchObject(invalid);
});

test('a new key invalidates the previous one', async ({ server, account: { email } }) => {
  const before = await askForKey(server, email);
  const after = await askForKey(server, email.toUpperCase());
  await expect(reset(server, before)).rejects.toMatchObject(invalid);
  await reset(server, after);
});

test.each(['a', 'a'.repeat(43), 'a'.repeat(200), '%00', "' OR 1=1 --", '../..'])('%j is invalid', async (key) => {
  const { email } = await signUpAndIn(shared);
  await askForKey(shared, email);
  await expect(reset(shared, key)).rejects.toMatchObject(invalid);
  expect(await canSignIn(shared, email)).toBe(true);
});

test.each([
  [{ password2: 'Other-Horse-8' }, 'Passwords do not match'],
  [{ password: 'short', password2: 'short' }, 'Minimum 8 characters'],
  [{ password: 'Welcome1!', password2: 'Welcome1!' }, 'This password is too common. Choose another one.'],
  [{ reset_key: '' }, ''],
  [{ reset_key: 'a'.repeat(201) }, ''],
])('%j is refused and the key stays valid', async (wrong, message) => {
  const { email, browser } = await signUpAndIn(shared);
  const key = await askForKey(shared, email);
  const refused = { status: 400, code: 'INVALID_INPUT', message: expect.stringContaining(message) };
  const form = { body: { ...resetForm(key).body, ...wrong } };
  await expect(browser.client.resetPassword(form)).rejects.toMatchObject(refused);
  await reset(shared, key);
});

test('an address without an account gets the same response and no email', async ({ server }) => {
  const { email, browser } = await signUpAndIn(server);
  const before = (await server.mail.emails()).length;
  const known = await browser.client.requestPasswordReset({ body: { email } });
  const unknown = await browser.client.requestPasswordReset({ body: { email: 'nobody@example.com' } });
  expect(unknown).toEqual(known);
  const emails = (await server.mail.emails()).slice(before);
  expect(emails.map(({ to }) => to)).toEqual([email]);
  expect(await server.context.db.selectFrom('outgoing_emails').selectAll().execute()).toEqual([]);
});

test('the email is sent to the registered spelling of the address', async ({ server }) => {
  const { email } = await signUpAndIn(server, { email: 'Ada@example.com' });
  await openBrowser(server).client.requestPasswordReset({ body: { email: ' aDA@EXAMPLE.com ' } });
  expect((await server.mail.emails()).at(-1)?.to).toBe(email);
});

test('a reset verifies an unverified account and invalidates its code', async ({ server }) => {
  const email = 'ada@example.com';
  const waiting = await signUp(server, email);
  const code = await server.mail.newestSecretFor(email);
  await reset(server, await askForKey(server, email));
  await expect(waiting.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ code: 'CODE_EXPIRED' });
  expect(await canSignIn(server, email, newPassword)).toBe(true);
});

test('signing up again invalidates earlier reset links', async ({ server }) => {
  const email = 'ada@example.com';
  await signUp(server, email);
  const key = await askForKey(server, email);
  await openBrowser(server).client.createAccount(signUpForm(email, 'Third-Horse-9'));
  await expect(reset(server, key)).rejects.toMatchObject(invalid);
});

test('a key is invalid after its account is deleted, also if the address is used again', async ({ server }) => {
  const { email, browser } = await signUpAndIn(server);
  const key = await askForKey(server, email);
  await browser.client.deleteAccount();
  await expect(reset(server, key)).rejects.toMatchObject(invalid);
  await signUpAndIn(server, { email });
  await expect(reset(server, key)).rejects.toMatchObject(invalid);
  expect(await canSignIn(server, email)).toBe(true);
});

test('a reset link needs a bot check solved for this action', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha' });
  const email = 'ada@example.com';
  const { client } = openBrowser(server);
  const captcha_token = await solvedToken(server, 'create_account');
  await client.createAccount({ body: { ...signUpForm(email).body, captcha_token } });
  const askWith = (token?: string) => client.requestPasswordReset({ body: { email, captcha_token: token } });
  const failed = { status: 403, code: 'CAPTCHA_FAILED' };
  await expect(askWith()).rejects.toMatchObject(failed);
  await expect(askWith(await solvedToken(server, 'login'))).rejects.toMatchObject(failed);
  expect(await server.mail.emails()).toHaveLength(1);
  expect(await askWith(await solvedToken(server, 'request_password_reset'))).toEqual({});
  expect(await server.mail.emails()).toHaveLength(2);
});
