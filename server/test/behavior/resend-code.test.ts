import { expect, test } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import { cookieName, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { signUp, wrongCode } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const email = 'ada@example.com';
const rightCode = (server: TestServer) => server.mail.newestSecretFor(email);

test('a code is sent again after 120 seconds; an earlier request gets the time to wait', async () => {
  await using server = await startServer();
  const browser = await signUp(server, email);
  const resend = () => browser.client.verifyEmail({ body: { resend_code_to: email } });
  server.clock.advance(20_000);
  await expect(resend()).rejects.toMatchObject({
    status: 429,
    code: 'TOO_MANY_ATTEMPTS',
    retryAfterSeconds: 100,
    serverMessage: 'Wait 100 seconds before asking for another code.',
  });
  server.clock.advance(99_999);
  await expect(resend()).rejects.toMatchObject({ retryAfterSeconds: 1 });
  server.clock.advance(1);
  expect(await resend()).toEqual({ message: 'Verification code re-sent.' });
  expect(await server.mail.emails()).toHaveLength(2);
  await browser.client.verifyEmail({ body: { code: await rightCode(server) } });
});

test('a new code invalidates the previous one', async () => {
  await using server = await startServer();
  const browser = await signUp(server, email);
  const before = await rightCode(server);
  server.clock.advance(120_000);
  await browser.client.verifyEmail({ body: { resend_code_to: email } });
  const after = await rightCode(server);
  if (before !== after)
    await expect(browser.client.verifyEmail({ body: { code: before } })).rejects.toMatchObject({
      code: 'CODE_INVALID',
    });
  await browser.client.verifyEmail({ body: { code: after } });
});

test('of 20 concurrent resends one emails a code', async () => {
  await using server = await startServer();
  const browser = await signUp(server, email);
  server.clock.advance(120_000);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => browser.client.verifyEmail({ body: { resend_code_to: email } })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await server.mail.emails()).toHaveLength(2);
});

test('ten codes are emailed to one address in a day, and more on the next', async () => {
  await using server = await startServer();
  const browser = await signUp(server, email);
  const resend = async () => {
    await browser.client.verifyEmail({ body: { resend_code_to: email } });
    await server.emailWorker.flush();
  };
  for (let count = 1; count < 10; count += 1) {
    server.clock.advance(120_000);
    await resend();
  }
  server.clock.advance(120_000);
  await expect(resend()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 86_400 - 10 * 120 });
  expect(await server.mail.emails()).toHaveLength(10);
  server.clock.advance(86_400_000 - 10 * 120_000);
  await resend();
  expect(await server.mail.emails()).toHaveLength(11);
});

test('a resend responds alike for unknown, verified and waiting addresses; the last gets an email', async () => {
  await using server = await startServer();
  await signUpAndIn(server, { email: 'verified@example.com' });
  await signUp(server, email);
  server.clock.advance(120_000);
  const emails = (await server.mail.emails()).length;
  const answers = [];
  for (const to of ['nobody@example.com', 'verified@example.com', email]) {
    const { status, text, headers } = await call(server, '/api/v3/session/verify-email', {
      method: 'POST',
      body: { resend_code_to: to },
    });
    const cookie = (headers.getSetCookie()[0] ?? '').replace(/=([^;]+)/, (_, { length }) => `=${length} characters`);
    answers.push({ status, text, cookie });
  }
  expect(answers[0]?.cookie).toMatch(new RegExp(`^${cookieName(server, 'pending')}=\\d+ characters;`));
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect((await server.mail.emails()).slice(emails).map(({ to }) => to)).toEqual([email]);
});

test('an earlier sign-up cannot take over a later one by a resend', async () => {
  await using server = await startServer();
  const address = newEmail();
  const owner = await signUp(server, address, 'Owner-Password-1');
  const stranger = await signUp(server, address, 'Stranger-Password-1');
  const resend = () => owner.client.verifyEmail({ body: { resend_code_to: address } });
  const replaced = { status: 400, code: 'CODE_EXPIRED', message: expect.stringContaining('Sign up again') };
  await expect(resend()).rejects.toMatchObject(replaced);
  server.clock.advance(121_000);
  await expect(resend()).rejects.toMatchObject(replaced);
  const code = await server.mail.newestSecretFor(address);
  await expect(owner.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ code: 'CODE_INVALID' });
  await stranger.client.verifyEmail({ body: { code } });
});

test('a sign-in during a later sign-up cannot take over that sign-up', async () => {
  await using server = await startServer();
  for (let round = 0; round < 10; round += 1) {
    const address = newEmail();
    const owner = await signUp(server, address, 'Owner-Password-1');
    const signIn = owner.client.login({ body: { email: address, password: 'Owner-Password-1' } });
    const [, stranger] = await Promise.all([
      expect(signIn).rejects.toMatchObject({ code: expect.stringMatching(/EMAIL_NOT_VERIFIED|INVALID_CREDENTIALS/) }),
      signUp(server, address, 'Stranger-Password-1'),
    ]);
    const code = await server.mail.newestSecretFor(address);
    await expect(owner.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ code: 'CODE_INVALID' });
    await stranger.client.verifyEmail({ body: { code } });
  }
});

test('a resend by address alone never reveals whether an account waits there', async () => {
  await using server = await startServer();
  const waiting = newEmail();
  await signUp(server, waiting);
  const verdicts = [];
  for (const address of [waiting, newEmail()]) {
    const browser = openBrowser(server);
    await browser.client.verifyEmail({ body: { resend_code_to: address } });
    const wrong = wrongCode(await server.mail.newestSecretFor(waiting));
    const guess = () =>
      call(server, '/api/v3/session/verify-email', {
        method: 'POST',
        body: { code: wrong },
        headers: { Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      }).then(({ status, text }) => ({ status, text }));
    const sevenWrong = [];
    for (let at = 0; at < 7; at += 1) sevenWrong.push(await guess());
    server.clock.advance(minutes(11));
    verdicts.push([...sevenWrong, await guess()]);
  }
  const [known, unknown] = verdicts;
  expect(known).toEqual(unknown);
  expect(new Set(known?.map(({ status }) => status))).toEqual(new Set([400]));
});

test('a code requested by the address alone verifies the account', async () => {
  await using server = await startServer();
  await signUp(server, email);
  server.clock.advance(120_000);
  const elsewhere = openBrowser(server);
  await elsewhere.client.verifyEmail({ body: { resend_code_to: email } });
  await elsewhere.client.verifyEmail({ body: { code: await rightCode(server) } });
});

test.each(['', 'a', 'x.y.z', 'A'.repeat(4000)])('an invented sign-up cookie, %j, is ignored', async (made) => {
  await using server = await startServer();
  await signUp(server, email);
  const { status, json } = await call(server, '/api/v3/session/verify-email', {
    method: 'POST',
    body: { code: await rightCode(server) },
    headers: { Cookie: `${cookieName(server, 'pending')}=${made}` },
  });
  expect([status, json]).toMatchObject([400, { error: { code: 'CODE_INVALID' } }]);
});
