/** The lines by which an operator, or fail2ban, notices an attack. */
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect, test } from 'vitest';
import { goodPassword, signUpAndIn, signUpByCalls } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const eventsOf = ({ log }: TestServer) =>
  log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event !== undefined);

const named = (server: TestServer, event: string) => eventsOf(server).filter((each) => each['event'] === event);

const signIn = (server: TestServer, email: string, password: string, from = '192.0.2.7') =>
  call(server, endpoints.login.path, {
    method: 'POST',
    body: { email, password },
    headers: { 'X-Forwarded-For': from, 'User-Agent': 'a'.repeat(500) },
  });

const behindProxy = { TRUST_PROXY: '127.0.0.1' };

test('each failed sign-in is one line with the client and the account, without email and password', async () => {
  await using server = await startServer(behindProxy);
  const ada = await signUpAndIn(server);
  const before = eventsOf(server).length;
  await signIn(server, ada.email, 'Wrong-Password-1');
  await signIn(server, 'nobody@example.com', 'Wrong-Password-1', '2001:db8:1:2:3::4');
  const id = (await server.context.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id;
  const lines = eventsOf(server).slice(before);
  const refused = { event: 'sign-in', outcome: 'refused', code: 'INVALID_CREDENTIALS', agent: 'a'.repeat(100) };
  expect(lines).toMatchObject([
    { ...refused, client: '192.0.2.7', account: id },
    { ...refused, client: '2001:db8:1:2::/64' },
  ]);
  expect(lines[1]).not.toHaveProperty('account');
  expect(server.log.join('')).not.toMatch(/@example\.com|Wrong-Password/);
});

test('sign-up, verification, sign-in and each change of credentials are lines with the account', async () => {
  await using server = await startServer(behindProxy);
  const { browser, email } = await signUpByCalls(server);
  const { id } = await server.context.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  await browser.client.changeApiKey();
  await browser.client.setKeyInForm({ body: { allowed: true } });
  await browser.client.confirmPassword({ body: { password: goodPassword } });
  await browser.client.changePassword({ body: { old_password: goodPassword, new_password: newPassword } });
  await browser.client.requestPasswordReset({ body: { email } });
  await browser.client.resetPassword(resetForm(await newestResetKey(server, email)));
  for (const event of [
    'sign-up',
    'verification',
    'sign-in',
    'key-change',
    'key-in-form',
    'password-confirmation',
    'password-change',
    'reset',
  ])
    expect([event, named(server, event).at(-1)]).toMatchObject([event, { outcome: 'done', account: id }]);
  expect(named(server, 'reset-request')).toMatchObject([{ outcome: 'done' }]);

  await signIn(server, email, newPassword);
  const again = await signUpAndIn(server, { email: 'bob@example.com' });
  await again.browser.client.endSessions({ body: { others: true } });
  await again.browser.client.deleteAccount();
  for (const event of ['sessions-end', 'account-close'])
    expect([event, named(server, event)]).toMatchObject([event, [{ outcome: 'done', account: expect.any(String) }]]);
});

test('locks, refused keys, refused calls and calls without a session are lines without secrets', async () => {
  await using server = await startServer(behindProxy, { limits: 'real' });
  for (let n = 0; n < 11; n += 1) await signIn(server, 'ada@example.com', 'Wrong-Password-1', `192.0.2.${n}`);
  expect(named(server, 'sign-in').at(-1)).toMatchObject({ outcome: 'locked', code: 'TOO_MANY_ATTEMPTS' });
  const key = `hf_${'a'.repeat(46)}`;
  await call(server, `${endpoints.getFileList.path}?key=${key}`, { headers: { 'X-API-Key': key } });
  await call(server, endpoints.getSessions.path);
  await call(server, endpoints.logout.path, { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } });
  await Promise.all(Array.from({ length: 30 }, () => call(server, endpoints.getSessions.path)));
  const calls = named(server, 'call');
  expect(calls).toMatchObject([
    { code: 'AUTH_INVALID_KEY', call: `GET ${endpoints.getFileList.path}`, client: '127.0.0.1' },
    { code: 'AUTH_REQUIRED', call: `GET ${endpoints.getSessions.path}` },
    { code: 'CROSS_SITE', call: `POST ${endpoints.logout.path}` },
    {},
    {},
  ]);
  expect(server.log.join('')).not.toContain(key);
});

test('refused calls from many clients of one network are twenty lines, and hide no attempt of another', async () => {
  await using server = await startServer(behindProxy);
  const { email } = await signUpAndIn(server);
  const refused = Array.from({ length: 12 }, (_, n) => ({ 'X-Forwarded-For': `2001:db8:1:${n}::1` })).flatMap(
    (headers) => Array.from({ length: 5 }, () => call(server, endpoints.getSessions.path, { headers })),
  );
  await Promise.all(refused);
  expect(named(server, 'call')).toHaveLength(20);
  const before = named(server, 'sign-in').length;
  await signIn(server, email, 'Wrong-Password-1', '2001:db8:1:0::1');
  await signIn(server, email, goodPassword, '2001:db8:1:0::1');
  expect(named(server, 'sign-in').slice(before)).toMatchObject([{ outcome: 'refused' }, { outcome: 'done' }]);
});

test('a client that fails sixty times writes twenty lines a minute, and its success is still a line', async () => {
  await using server = await startServer(behindProxy);
  const { email } = await signUpAndIn(server);
  const before = named(server, 'sign-in').length;
  const fail = () => call(server, endpoints.login.path, { method: 'POST', body: {} });
  await Promise.all(Array.from({ length: 60 }, fail));
  expect(named(server, 'sign-in')).toHaveLength(before + 20);
  await signIn(server, email, goodPassword, '127.0.0.1');
  expect(named(server, 'sign-in').at(-1)).toMatchObject({ outcome: 'done' });
});
