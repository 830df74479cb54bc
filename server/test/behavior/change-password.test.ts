import type { CaptchaAction } from '@holdfast/contract/src/endpoints.ts';
import { expect, test } from 'vitest';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { canSignIn, newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { signUpForm } from '../harness/sign-ups.ts';
import { solvedToken } from '../harness/solved-token.ts';
import { startServer } from '../harness/start-server.ts';

const change = (old_password = goodPassword, new_password = newPassword) => ({ body: { old_password, new_password } });
const signedOut = { status: 401, code: 'AUTH_REQUIRED' };

test('the new password signs in and the old one does not', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  expect(await browser.client.changePassword(change())).toEqual({ message: 'Password updated successfully' });
  expect(await canSignIn(server, email, goodPassword)).toBe(false);
  expect(await canSignIn(server, email, newPassword)).toBe(true);
});

test('a change ends only the other sessions of that account', async () => {
  await using server = await startServer();
  const { browser, email, byKey } = await signUpAndIn(server);
  const stranger = await signUpAndIn(server);
  const other = openBrowser(server);
  await other.client.login({ body: { email, password: goodPassword } });
  await browser.client.changePassword(change());
  await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await browser.client.getAccountInfo();
  await byKey.getAccountInfo();
  await stranger.browser.client.getAccountInfo();
});

test('a wrong old password is refused and changes nothing', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  const other = openBrowser(server);
  await other.client.login({ body: { email, password: goodPassword } });
  const wrong = browser.client.changePassword(change('Wrong-Horse-7'));
  await expect(wrong).rejects.toMatchObject({ status: 403, code: 'OLD_PASSWORD_WRONG' });
  await other.client.getAccountInfo();
  expect(await canSignIn(server, email)).toBe(true);
});

test.each([
  ['', newPassword, 'Old password is required'],
  [goodPassword, '', 'New password is required'],
  [goodPassword, 'Short-7', 'Password must be at least 8 characters'],
  [goodPassword, 'no-capital-7', 'Must include uppercase, lowercase, and a number'],
  [goodPassword, `Aa1${'é'.repeat(127)}`, 'Maximum 256 bytes: accented letters and emoji take more than one'],
  [goodPassword, 'Password123!', 'This password is too common. Choose another one.'],
])('%j to %j is refused: %s', async (oldPassword, wanted, message) => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  const refused = { status: 400, code: 'INVALID_INPUT', message };
  await expect(browser.client.changePassword(change(oldPassword, wanted))).rejects.toMatchObject(refused);
  expect(await canSignIn(server, email)).toBe(true);
});

test('of ten concurrent changes one succeeds', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  const wanted = Array.from({ length: 10 }, (_, i) => `Another-Horse-${i}`);
  const results = await Promise.allSettled(
    wanted.map((password) => browser.client.changePassword(change(goodPassword, password))),
  );
  const won = wanted.filter((_, i) => results[i]?.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(await canSignIn(server, email, won[0])).toBe(true);
  for (const result of results.filter(({ status }) => status === 'rejected'))
    expect(result).toMatchObject({ reason: { code: 'OLD_PASSWORD_WRONG' } });
});

test('a change ends a pending reset link', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  await browser.client.requestPasswordReset({ body: { email } });
  const key = await newestResetKey(server, email);
  await browser.client.changePassword(change());
  const late = browser.client.resetPassword(resetForm(key, 'Third-Horse-9'));
  await expect(late).rejects.toMatchObject({ code: 'RESET_KEY_INVALID' });
  expect(await canSignIn(server, email, newPassword)).toBe(true);
});

test('concurrent sign-ins with the old password end with the change', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  const others = Array.from({ length: 8 }, () => openBrowser(server));
  await Promise.allSettled([
    ...others.slice(0, 4).map(({ client }) => client.login({ body: { email, password: goodPassword } })),
    browser.client.changePassword(change()),
    ...others.slice(4).map(({ client }) => client.login({ body: { email, password: goodPassword } })),
  ]);
  await browser.client.getAccountInfo();
  for (const other of others) await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
});

test('the owner is notified by email, without a secret', async () => {
  await using server = await startServer();
  const { browser, email } = await signUpAndIn(server);
  await browser.client.changePassword(change());
  const emails = await server.mail.emails();
  expect(emails.at(-1)).toMatchObject({ to: email, subject: 'Your Holdfast password was changed', secret: null });
  expect(JSON.stringify(emails)).not.toContain(newPassword);
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
