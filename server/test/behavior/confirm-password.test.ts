/** Calls that need the password again when it was not entered in the session within the last 15 minutes. */
import { expect } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import { cookieName, goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { newPassword } from '../harness/passwords.ts';
import { firefox, sessionsOf, signInWith } from '../harness/sessions.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { shareServer } from '../harness/server-test.ts';

const { server: shared, test } = await shareServer();

const required = { status: 403, code: 'PASSWORD_REQUIRED', message: 'Confirm your password to continue.' };
const wrong = { status: 403, code: 'PASSWORD_WRONG', message: 'That password is incorrect.' };

const guarded = {
  'change-api-key': ({ client }: Browser) => client.changeApiKey(),
  'end-sessions, of all others': ({ client }: Browser) => client.endSessions({ body: { others: true } }),
  'end-sessions, of one': ({ client }: Browser) => client.endSessions({ body: { session: 'any' } }),
  'delete-account': ({ client }: Browser) => client.deleteAccount(),
} as const;

const rowsOf = ({ context: { db } }: TestServer) =>
  Promise.all([db.selectFrom('accounts').selectAll().execute(), db.selectFrom('sessions').selectAll().execute()]);

test.each(Object.entries(guarded))('%s needs the password 15 minutes after the sign-in', async (_name, call) => {
  const { browser, email } = await signUpAndIn(shared);
  await signInWith(shared, email, firefox);
  shared.clock.advance(minutes(15));
  const before = await rowsOf(shared);
  await expect(call(browser)).rejects.toMatchObject(required);
  expect(await rowsOf(shared)).toEqual(before);
  await browser.client.confirmPassword({ body: { password: goodPassword } });
  shared.clock.advance(minutes(15) - 1);
  await call(browser);
});

test.each(Object.entries(guarded))('%s needs no password within 15 minutes of the sign-in', async (_name, call) => {
  const { browser } = await signUpAndIn(shared);
  shared.clock.advance(minutes(15) - 1);
  await call(browser);
});

test('a password change counts as entering the password', async ({ account: { browser } }) => {
  shared.clock.advance(minutes(15));
  await browser.client.changePassword({ body: { old_password: goodPassword, new_password: newPassword } });
  await browser.client.changeApiKey();
});

test('a wrong password confirms nothing', async ({ account: { browser } }) => {
  shared.clock.advance(minutes(15));
  const before = await rowsOf(shared);
  await expect(browser.client.confirmPassword({ body: { password: 'Wrong-Horse-7' } })).rejects.toMatchObject(wrong);
  expect(await rowsOf(shared)).toEqual(before);
  await expect(browser.client.changeApiKey()).rejects.toMatchObject(required);
});

test('the password confirmed in one browser does not count in another', async () => {
  const { browser, email } = await signUpAndIn(shared);
  const other = await signInWith(shared, email, firefox);
  shared.clock.advance(minutes(15));
  await browser.client.confirmPassword({ body: { password: goodPassword } });
  await expect(other.client.changeApiKey()).rejects.toMatchObject(required);
});

test('a confirmation renews the token of the session and keeps the session', async () => {
  const { browser } = await signUpAndIn(shared);
  const stolen = openBrowser(shared);
  for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
  const before = await sessionsOf(browser);
  await browser.client.confirmPassword({ body: { password: goodPassword } });
  expect(browser.cookies.get(cookieName(shared, 'session'))).not.toBe(
    stolen.cookies.get(cookieName(shared, 'session')),
  );
  shared.clock.advance(minutes(1));
  await expect(stolen.client.getAccountInfo()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  expect(await sessionsOf(browser)).toEqual(before);
});

test('ten wrong passwords in a session are checked, and count like those of a sign-in', async () => {
  await using server = await startServer({}, { limits: 'real' });
  const { browser, email } = await signUpAndIn(server);
  const codes: string[] = [];
  const guess = () =>
    browser.client.confirmPassword({ body: { password: 'Wrong-Horse-7' } }).catch(({ code }) => codes.push(code));
  for (let turn = 0; turn < 12; turn += 1) await guess();
  expect(codes.filter((code) => code === 'PASSWORD_WRONG')).toHaveLength(10);
  expect(codes.slice(10)).toEqual(['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS']);
  const signIn = browser.client.login({ body: { email, password: goodPassword } });
  await expect(signIn).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
});
