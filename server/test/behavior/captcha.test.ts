import { expect, test } from 'vitest';
import { goodPassword } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { signUpForm } from '../harness/sign-ups.ts';
import { solvedToken } from '../harness/solved-token.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const failed = { status: 403, code: 'CAPTCHA_FAILED' };

const signUpWith = (server: TestServer, email: string, captcha_token?: string) =>
  openBrowser(server).client.createAccount({ body: { ...signUpForm(email).body, captcha_token } });

test('sign-up and sign-in need a solved bot check', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha' });
  const { client } = openBrowser(server);
  await expect(signUpWith(server, 'ada@example.com')).rejects.toMatchObject(failed);
  await expect(client.login({ body: { email: 'ada@example.com', password: goodPassword } })).rejects.toMatchObject(
    failed,
  );
  expect(await server.mail.emails()).toEqual([]);
});

test('a solved bot check works once, for one account', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha' });
  const token = await solvedToken(server, 'create_account');
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => signUpWith(server, `person-${at}@example.com`, token)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(signUpWith(server, 'late@example.com', token)).rejects.toMatchObject(failed);
  expect(await server.mail.emails()).toHaveLength(1);
});

test('a bot check solved for one action is invalid for another', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha' });
  const token = await solvedToken(server, 'login');
  await expect(signUpWith(server, 'ada@example.com', token)).rejects.toMatchObject(failed);
  const login = (captcha_token: string) =>
    openBrowser(server).client.login({ body: { email: 'ada@example.com', password: goodPassword, captcha_token } });
  await expect(login(token)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  await expect(login(token)).rejects.toMatchObject(failed);
});

test('a bot check is valid for ten minutes', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha' });
  const token = await solvedToken(server, 'create_account');
  server.clock.advance(600_000);
  await expect(signUpWith(server, 'ada@example.com', token)).rejects.toMatchObject(failed);
});

test('an action without a bot check is refused by the name of the parameter', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha' });
  for (const query of ['', '?action=', '?action=upload', '?action=login&action=login']) {
    const answer = await call(server, `/api/v3/session/captcha-challenge${query}`);
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'INVALID_INPUT' } } });
    expect(answer.text).toContain("'action'");
  }
});
