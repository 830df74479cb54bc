/** The email about a sign-in from a browser that the account was not used in before. */
import { expect } from 'vitest';
import { goodPassword, signUpAndIn, signUpByCalls } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { firefox, safari, signInWith } from '../harness/sessions.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const subject = 'New sign-in to your Holdfast account';
const told = async (server: TestServer) => (await server.mail.emails()).filter((email) => email.subject === subject);

test('a sign-in from a new browser sends an email with device, time and what to do', async ({ server }) => {
  const { email } = await signUpAndIn(server);
  const at = new Date(server.clock.now());
  await signInWith(server, email, firefox);
  const [sent, ...others] = await told(server);
  expect(others).toEqual([]);
  expect(sent).toMatchObject({ to: email, secret: null });
  expect(sent?.text).toContain('Firefox on Windows');
  expect(sent?.text).toContain(`, ${at.toISOString().slice(11, 16)} UTC.`);
  expect(sent?.text).toContain(`${server.context.config.origins.app}/forget-password`);
});

test('the first sign-in after a sign-up sends none, nor do more from the same browser', async ({ server }) => {
  const { browser, email } = await signUpByCalls(server);
  await browser.client.login({ body: { email, password: goodPassword } });
  expect(await told(server)).toEqual([]);
  await openBrowser(server).client.login({ body: { email, password: goodPassword } });
  expect(await told(server)).toHaveLength(1);
});

test('a browser knows several accounts', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const shared = await signInWith(server, ada.email, safari);
  for (const { email } of [ben, ada, ben]) await shared.client.login({ body: { email, password: goodPassword } });
  // Both are due at the same moment, so either may be sent first.
  expect((await told(server)).map(({ to }) => to).toSorted()).toEqual([ada.email, ben.email].toSorted());
});

test('after a reset the browser that made it is known, and the others are new again', async ({ server }) => {
  const { browser, email } = await signUpAndIn(server);
  const elsewhere = openBrowser(server);
  await elsewhere.client.requestPasswordReset({ body: { email } });
  await elsewhere.client.resetPassword(resetForm(await newestResetKey(server, email)));
  await elsewhere.client.login({ body: { email, password: newPassword } });
  expect(await told(server)).toEqual([]);
  await browser.client.login({ body: { email, password: newPassword } });
  expect(await told(server)).toHaveLength(1);
});

test('wrong passwords send no email, and many sign-ins send five', async () => {
  await using server = await startServer({}, { limits: 'real' });
  const { email } = await signUpAndIn(server);
  await expect(openBrowser(server).client.login({ body: { email, password: 'Wrong-Horse-7' } })).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  });
  expect(await told(server)).toEqual([]);
  for (let turn = 0; turn < 8; turn += 1) {
    server.clock.advance(1000);
    await openBrowser(server).client.login({ body: { email, password: goodPassword } });
  }
  expect(await told(server)).toHaveLength(5);
});
