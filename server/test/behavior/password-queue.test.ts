import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'vitest';
import { standardCost } from '../../src/lib/password-cost.ts';
import { changePassword } from '../../src/accounts/change-password.ts';
import { identify } from '../../src/accounts/identify.ts';
import { hashPassword } from '../../src/accounts/passwords.ts';
import { resetPassword } from '../../src/accounts/reset-password.ts';
import { signUp } from '../../src/accounts/sign-up.ts';
import { QueueFull } from '../../src/lib/semaphore.ts';
import type { Counters } from '../../src/storage/counters/counters.ts';
import { openCookieJar } from '../../src/http/cookies.ts';
import { cookieName, goodPassword, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { callFrom } from '../harness/limited-server.ts';
import { canSignIn, newestResetKey, newPassword } from '../harness/passwords.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const path = '/api/v3/session/login';
const wrong = 'Wrong-Password-1';

test('sign-ins beyond the queue get 503 with Retry-After and do not count as wrong', async () => {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.1' }, { limits: 'real', passwordCost: standardCost });
  const { email } = await signUpAndIn(server);
  const from = (turn: number, body: object) => callFrom(server, `198.51.${turn}.1`, path, { method: 'POST', body });
  const crowd = Array.from({ length: 70 }, (_, at) => from(at, { email: `s${at}@example.com`, password: wrong }));
  const mine = Array.from({ length: 10 }, (_, at) => from(200 + at, { email, password: wrong }));
  const answers = await Promise.all([...crowd, ...mine]);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, json } of refused)
    expect([headers.get('Retry-After'), json]).toMatchObject(['5', { error: { code: 'UNAVAILABLE' } }]);
  expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  const checked = answers.slice(70).filter(({ status }) => status === 401).length;
  const again = [];
  for (let turn = 0; turn < 11 - checked; turn += 1)
    again.push((await from(220 + turn, { email, password: wrong })).status);
  expect(again.indexOf(429)).toBe(10 - checked);
});

test('sign-ins of clients that have disconnected leave the queue', async () => {
  await using server = await startServer({}, { passwordCost: standardCost });
  const { email } = await signUpAndIn(server);
  const body = JSON.stringify({ email, password: goodPassword });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const clients = Array.from({ length: 45 }, () =>
    request(server.url + path, { method: 'POST', headers, agent: false }).on('error', () => {}),
  );
  await Promise.all(clients.map((client) => once(client.end(body), 'finish')));
  for (const client of clients) client.destroy();
  expect((await call(server, path, { method: 'POST', body: { email, password: goodPassword } })).status).toBe(200);
  const sessions = await server.context.db.selectFrom('sessions').selectAll().execute();
  expect(sessions.length).toBeLessThan(30);
});

test.each([
  ['before the check of the old password', 'old passwords by account'],
  ['after the check of the old password', 'password changes'],
])('a change whose client disconnects %s hashes no further password', async (_when, lastLimit) => {
  await using server = await startServer();
  const { context } = server;
  const { browser, email } = await signUpAndIn(server);
  const { client, disconnect } = connectedClient();
  const { caller, cookies } = await callerOf(server, browser, client);
  const taken: string[] = [];
  const take: Counters['take'] = (key, limit) => {
    taken.push(key);
    if (key.startsWith(lastLimit)) disconnect();
    return context.counters.take(key, limit);
  };
  const form = { old_password: goodPassword, new_password: newPassword };
  const watched = { ...context, counters: { ...context.counters, take } };
  await expect(changePassword(watched, caller, cookies, client, form)).rejects.toThrow('disconnected');
  expect(taken.at(-1)).toContain(lastLimit);
  expect(await canSignIn(server, email, goodPassword)).toBe(true);
});

test('a change that finds the queue full does not count against the ten of a day', async ({ server }) => {
  const { browser } = await signUpAndIn(server);
  const { client } = connectedClient();
  const { caller, cookies } = await callerOf(server, browser, client);
  const { crowded, givenBack } = crowdedAfter(server, 'password changes');
  const form = { old_password: goodPassword, new_password: newPassword };
  await expect(changePassword(crowded, caller, cookies, client, form)).rejects.toBeInstanceOf(QueueFull);
  expect(givenBack.at(-1)).toBe(`password changes: ${caller.account.id}`);
});

test('a sign-up that finds the queue full does not count against its mailbox or its address', async ({ server }) => {
  const email = newEmail();
  const { client } = connectedClient();
  const cookies = openCookieJar(undefined, server.context.config.origins.app, () => {});
  const { crowded, givenBack } = crowdedAfter(server, 'sign-ups by mailbox');
  await expect(signUp(crowded, cookies, client, { email, password: goodPassword })).rejects.toBeInstanceOf(QueueFull);
  expect(givenBack.map((key) => key.split(': ')[0] ?? '').toSorted()).toEqual([
    'sign-ups',
    'sign-ups by address and mailbox',
    'sign-ups by mailbox',
  ]);
});

test('a reset whose client disconnects before the new password is hashed changes nothing', async ({ server }) => {
  const { context } = server;
  const { email } = await signUpAndIn(server);
  await openBrowser(server).client.requestPasswordReset({ body: { email } });
  const form = { reset_key: await newestResetKey(server, email), password: newPassword };
  const { client, disconnect } = connectedClient();
  const cookies = openCookieJar(undefined, context.config.origins.app, () => {});
  const leaving = { ...client, logAccount: disconnect };
  await expect(resetPassword(context, cookies, leaving, form)).rejects.toThrow('disconnected');
  expect(await canSignIn(server, email, goodPassword)).toBe(true);
});

/** More passwords than the queue takes wait for their hashes once the limit has been counted. */
function crowdedAfter({ context }: TestServer, limitName: string) {
  const givenBack: string[] = [];
  const take: Counters['take'] = async (key, limit) => {
    const taken = await context.counters.take(key, limit);
    if (key.startsWith(`${limitName}:`))
      void Promise.allSettled(Array.from({ length: 60 }, () => hashPassword('waits', context.passwordCost)));
    return taken;
  };
  const giveBack: Counters['giveBack'] = async (key) => void givenBack.push(key);
  return { crowded: { ...context, counters: { take, giveBack } }, givenBack };
}

async function callerOf(
  server: TestServer,
  { cookies: sent }: Browser,
  client: ReturnType<typeof connectedClient>['client'],
) {
  const name = cookieName(server, 'session');
  const cookies = openCookieJar(`${name}=${sent.get(name)}`, server.context.config.origins.app, () => {});
  const caller = await identify(server.context, {
    access: 'session',
    apiKey: undefined,
    keyInForm: undefined,
    actingFor: undefined,
    cookies,
    client,
    isChange: true,
  });
  return { caller, cookies };
}

function connectedClient() {
  const gone = new AbortController();
  const client = { address: '127.0.0.1', agent: '', gone: gone.signal, logAccount() {} };
  return { client, disconnect: () => gone.abort(new Error('disconnected')) };
}
