import { hash } from '@node-rs/argon2';
import { expect } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import { goodPassword, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const signIn = (server: TestServer, body: object) => call(server, '/api/v3/session/login', { method: 'POST', body });

test('an email signs in with its password, in upper or lower case', async ({ server }) => {
  await signUpAndIn(server, { email: 'Ada@Example.com' });
  for (const email of ['Ada@Example.com', 'ada@example.com', ' ADA@EXAMPLE.COM ']) {
    const browser = openBrowser(server);
    await browser.client.login({ body: { email, password: goodPassword } });
    expect((await browser.client.getAccountInfo()).account.info.email).toBe('Ada@Example.com');
  }
});

test('wrong credentials get one response for known, unknown and unverified emails', async ({ server }) => {
  await signUpAndIn(server, { email: 'ada@example.com' });
  await signUp(server, 'waiting@example.com');
  const answers = [];
  for (const email of ['ada@example.com', 'nobody@example.com', 'waiting@example.com']) {
    const { status, text, headers } = await signIn(server, { email, password: 'Wrong-Password-1' });
    answers.push({ status, text, cookies: headers.getSetCookie() });
  }
  expect(answers[0]).toEqual({
    status: 401,
    text: '{"success":false,"error":{"code":"INVALID_CREDENTIALS","message":"E-Mail or password incorrect."}}',
    cookies: [],
  });
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test('every byte of a long password counts', async ({ server }) => {
  const password = `${goodPassword}${'x'.repeat(255 - goodPassword.length)}`;
  const browser = await signUp(server, 'ada@example.com', `${password}1`);
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor('ada@example.com') } });
  for (const [end, status] of [
    ['1', 200],
    ['2', 401],
    ['', 401],
    ['11', 401],
  ] as const)
    expect(await signIn(server, { email: 'ada@example.com', password: password + end }), end).toMatchObject({ status });
});

const decomposed = 'Cafe\u0301-Horse-7';

test('a password is right however its letters are composed', async ({ server }) => {
  const [typed, stored] = [decomposed, decomposed.normalize('NFC')];
  for (const [at, password] of [typed, stored].entries()) {
    const email = `person-${at}@example.org`;
    const browser = await signUp(server, email, password);
    await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
    for (const form of [typed, stored]) await browser.client.login({ body: { email, password: form } });
    await browser.client.changePassword({ body: { old_password: typed, new_password: typed } });
    await browser.client.login({ body: { email, password: stored } });
  }
});

test('a hash of a password that was never composed still matches it', async ({ server, account: { email } }) => {
  const password_hash = await hash(decomposed);
  await server.context.db.updateTable('accounts').set({ password_hash }).execute();
  expect(await signIn(server, { email, password: decomposed })).toMatchObject({ status: 200 });
  expect(await signIn(server, { email, password: 'Cafe-Horse-7' })).toMatchObject({ status: 401 });
});

test('the name of the site is no password', async () => {
  await using server = await startServer({ SITE_NAME: 'Kelp Files' });
  for (const password of ['KelpFiles2026', 'Holdfast1'])
    await expect(signUp(server, 'ada@example.com', password)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'This password is too common. Choose another one.',
    });
});

test('a browser that signs in with the password may verify with the current code', async ({ server }) => {
  await signUp(server, 'ada@example.com');
  const elsewhere = openBrowser(server);
  const login = () => elsewhere.client.login({ body: { email: 'ada@example.com', password: goodPassword } });
  await expect(login()).rejects.toMatchObject({ status: 403, code: 'EMAIL_NOT_VERIFIED' });
  expect(await server.mail.emails()).toHaveLength(1);
  await elsewhere.client.verifyEmail({ body: { code: await server.mail.newestSecretFor('ada@example.com') } });
  await login();
});

test('a sign-in to an unverified account with an expired code emails a new one', async ({ server }) => {
  await signUp(server, 'ada@example.com');
  server.clock.advance(600_000);
  const browser = openBrowser(server);
  const login = () => browser.client.login({ body: { email: 'ada@example.com', password: goodPassword } });
  await expect(login()).rejects.toMatchObject({ status: 403, code: 'EMAIL_NOT_VERIFIED' });
  expect(await server.mail.emails()).toHaveLength(2);
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor('ada@example.com') } });
  await login();
});

test.each([
  ['no email', { email: undefined }, 'Email is required'],
  ['a broken email', { email: 'ada' }, 'Enter a valid email address'],
  ['an endless password', { password: 'x'.repeat(1025) }, 'Password is too long'],
])('a sign-in with %s is refused with the message of its form', async (_what, wrong, message) => {
  const answer = await signIn(shared, { email: 'ada@example.com', password: goodPassword, ...wrong });
  expect(answer).toMatchObject({ status: 400, json: { success: false, error: { code: 'INVALID_INPUT', message } } });
});

test('a sign-in to an unverified account without codes left still asks for the code', async ({ server }) => {
  const browser = openBrowser(server);
  const email = newEmail();
  await browser.client.createAccount({ body: { email, password: goodPassword, password2: goodPassword } });
  await server.emailWorker.flush();
  for (let sent = 1; sent < 10; sent += 1) {
    server.clock.advance(minutes(2));
    await browser.client.verifyEmail({ body: { resend_code_to: email } });
    await server.emailWorker.flush();
  }
  server.clock.advance(minutes(11));
  await expect(browser.client.login({ body: { email, password: goodPassword } })).rejects.toMatchObject({
    code: 'EMAIL_NOT_VERIFIED',
  });
  expect(await server.mail.emails()).toHaveLength(10);
});
