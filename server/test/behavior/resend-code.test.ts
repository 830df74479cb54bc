import type { Client } from '@holdfast/contract/src/client.ts';
import { expect } from 'vitest';
import { newEmail } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { signUp } from '../harness/sign-ups.ts';
import { type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const email = 'ada@example.com';
const rightCode = (server: TestServer) => server.mail.newestSecretFor(email);

test('a code is sent again after 120 seconds; an earlier request gets the time to wait', async ({ server }) => {
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

test('a new code invalidates the previous one', async ({ server }) => {
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

test('of 20 concurrent resends one emails a code', async ({ server }) => {
  const browser = await signUp(server, email);
  server.clock.advance(120_000);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => browser.client.verifyEmail({ body: { resend_code_to: email } })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await server.mail.emails()).toHaveLength(2);
});

test('only the browser that signed up is sent another code', async ({ server }) => {
  const browser = await signUp(server, email);
  server.clock.advance(120_000);
  const startAgain = {
    status: 400,
    code: 'CODE_INVALID',
    serverMessage: expect.stringContaining('Start from sign-in'),
  };
  const resend = (client: Client, to: string) => client.verifyEmail({ body: { resend_code_to: to } });
  await expect(resend(openBrowser(server).client, email)).rejects.toMatchObject(startAgain);
  await expect(resend(browser.client, 'nobody@example.com')).rejects.toMatchObject(startAgain);
  expect(await server.mail.emails()).toHaveLength(1);
});

test('an earlier sign-up cannot take over a later one by a resend', async ({ server }) => {
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

test('a sign-in during a later sign-up cannot take over that sign-up', async ({ server }) => {
  for (let round = 0; round < 3; round += 1) {
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
