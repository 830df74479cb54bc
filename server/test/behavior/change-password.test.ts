import type { CaptchaAction } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { identify } from '../../src/accounts/identify.ts';
import type { Context } from '../../src/context.ts';
import { openCookieJar } from '../../src/http/cookies.ts';
import { minutes } from '../../src/lib/clock.ts';
import { cookieName, goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { canSignIn, newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { sessionsOf } from '../harness/sessions.ts';
import { signUpForm } from '../harness/sign-ups.ts';
import { solvedToken } from '../harness/solved-token.ts';
import { openSecond, startServer } from '../harness/start-server.ts';
import { shareServer } from '../harness/server-test.ts';

const { server: shared, test } = await shareServer();

/** Others of the shared server are sent theirs meanwhile. */
const toldOfChange = async (email: string) =>
  (await shared.mail.emails()).find(({ to, subject }) => to === email && subject.includes('password was changed'));

const change = (old_password = goodPassword, new_password = newPassword) => ({ body: { old_password, new_password } });
/** How a process identifies the caller with this key. */
const callerByKey = (context: Context, apiKey: string) =>
  identify(context, {
    access: 'account',
    apiKey,
    keyInForm: undefined,
    actingFor: undefined,
    cookies: openCookieJar(undefined, context.config.origins.app, () => {}),
    client: { address: '127.0.0.1', agent: '', gone: new AbortController().signal, logAccount() {} },
    isChange: true,
  });

const signedOut = { status: 401, code: 'AUTH_REQUIRED' };

test('the new password signs in and the old one does not', async ({ account: { browser, email } }) => {
  expect(await browser.client.changePassword(change())).toEqual({ message: 'Password updated successfully' });
  expect(await canSignIn(shared, email, goodPassword)).toBe(false);
  expect(await canSignIn(shared, email, newPassword)).toBe(true);
});

test('a change ends only the other sessions of that account', async ({ account: { browser, email } }) => {
  const stranger = await signUpAndIn(shared);
  const other = openBrowser(shared);
  await other.client.login({ body: { email, password: goodPassword } });
  await browser.client.changePassword(change());
  await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await browser.client.getAccountInfo();
  await stranger.browser.client.getAccountInfo();
});

test('a change replaces the API key, and the old one is invalid in every process', async () => {
  await using second = await openSecond(shared);
  const { browser, byKey, apiKey, email } = await signUpAndIn(shared);
  await browser.client.changePassword(change());
  await expect(byKey.getAccountInfo()).rejects.toMatchObject({ status: 401, code: 'AUTH_INVALID_KEY' });
  await expect(callerByKey(second, apiKey)).rejects.toMatchObject({ code: 'AUTH_INVALID_KEY' });
  const { api_key } = (await browser.client.getAccountInfo()).account.info;
  expect((await callerByKey(second, api_key)).by).toBe('key');
  expect((await toldOfChange(email))?.text).toContain('Your API key was changed too.');
});

test('a change keeps the API key if its owner says so', async ({ account: { browser, byKey, email } }) => {
  await browser.client.changePassword({ body: { ...change().body, change_api_key: false } });
  await byKey.getAccountInfo();
  expect((await toldOfChange(email))?.text).toContain('Your API key was not changed.');
});

test('a change renews the token of its session, in every tab of the browser', async () => {
  const { browser } = await signUpAndIn(shared);
  const stolen = openBrowser(shared);
  for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
  const [before] = await sessionsOf(browser);
  await browser.client.changePassword(change());
  expect(browser.cookies.get(cookieName(shared, 'session'))).not.toBe(
    stolen.cookies.get(cookieName(shared, 'session')),
  );
  shared.clock.advance(minutes(1));
  await expect(stolen.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  // Another tab sends the new cookie, since a browser has one for all of them.
  expect(await sessionsOf(browser)).toEqual([before]);
});

test('a wrong old password is refused and changes nothing', async ({ account: { browser, email } }) => {
  const other = openBrowser(shared);
  await other.client.login({ body: { email, password: goodPassword } });
  const wrong = browser.client.changePassword(change('Wrong-Horse-7'));
  await expect(wrong).rejects.toMatchObject({ status: 403, code: 'OLD_PASSWORD_WRONG' });
  await other.client.getAccountInfo();
  expect(await canSignIn(shared, email)).toBe(true);
});

test.each([
  ['', newPassword, 'Old password is required'],
  [goodPassword, 'Short-7', 'Password must be at least 8 characters'],
  [goodPassword, 'Password123!', 'This password is too common. Choose another one.'],
])('%j to %j is refused: %s', async (oldPassword, wanted, message) => {
  const { browser, email } = await signUpAndIn(shared);
  const refused = { status: 400, code: 'INVALID_INPUT', message };
  await expect(browser.client.changePassword(change(oldPassword, wanted))).rejects.toMatchObject(refused);
  expect(await canSignIn(shared, email)).toBe(true);
});

test('of ten concurrent changes one succeeds', async ({ account: { browser, email } }) => {
  const wanted = Array.from({ length: 10 }, (_, i) => `Another-Horse-${i}`);
  const results = await Promise.allSettled(
    wanted.map((password) => browser.client.changePassword(change(goodPassword, password))),
  );
  const won = wanted.filter((_, i) => results[i]?.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(await canSignIn(shared, email, won[0])).toBe(true);
  for (const result of results.filter(({ status }) => status === 'rejected'))
    // A request that arrives after the change still has the old token of the session.
    expect(result).toMatchObject({ reason: { code: expect.stringMatching(/^(OLD_PASSWORD_WRONG|UNAVAILABLE)$/) } });
});

test('a change ends a pending reset link', async ({ account: { browser, email } }) => {
  await browser.client.requestPasswordReset({ body: { email } });
  const key = await newestResetKey(shared, email);
  await browser.client.changePassword(change());
  const late = browser.client.resetPassword(resetForm(key, 'Third-Horse-9'));
  await expect(late).rejects.toMatchObject({ code: 'RESET_KEY_INVALID' });
  expect(await canSignIn(shared, email, newPassword)).toBe(true);
});

test('concurrent sign-ins with the old password end with the change', async () => {
  const { browser, email } = await signUpAndIn(shared);
  const others = Array.from({ length: 8 }, () => openBrowser(shared));
  await Promise.allSettled([
    ...others.slice(0, 4).map(({ client }) => client.login({ body: { email, password: goodPassword } })),
    browser.client.changePassword(change()),
    ...others.slice(4).map(({ client }) => client.login({ body: { email, password: goodPassword } })),
  ]);
  await browser.client.getAccountInfo();
  for (const other of others) await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('the owner is notified by email, without a secret', async ({ account: { browser, email } }) => {
  await browser.client.changePassword(change());
  expect(await toldOfChange(email)).toMatchObject({ subject: 'Your Holdfast password was changed', secret: null });
  expect(JSON.stringify(await shared.mail.emails())).not.toContain(newPassword);
});

test('a password change needs a bot check solved for this action', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha' });
  const email = 'ada@example.com';
  const { client } = openBrowser(server);
  const token = (action: CaptchaAction) => solvedToken(server, action);
  await client.createAccount({ body: { ...signUpForm(email).body, captcha_token: await token('create_account') } });
  await client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
  await client.login({ body: { email, password: goodPassword, captcha_token: await token('login') } });
  const changeWith = (captcha_token?: string) => client.changePassword({ body: { ...change().body, captcha_token } });
  const failed = { status: 403, code: 'CAPTCHA_FAILED' };
  await expect(changeWith()).rejects.toMatchObject(failed);
  await expect(changeWith(await token('login'))).rejects.toMatchObject(failed);
  expect(await changeWith(await token('change_password'))).toEqual({ message: 'Password updated successfully' });
});
