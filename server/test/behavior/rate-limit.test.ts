import { expect } from 'vitest';
import { newApiKey } from '../../src/accounts/api-key.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { minutes, seconds } from '../../src/lib/clock.ts';
import { sha256Hex } from '../../src/lib/derive-key.ts';
import { cookieName, signUpAndIn } from '../harness/accounts.ts';
import { call, type RawCall } from '../harness/calls.ts';
import { callFrom, startLimited, statuses, limitedTest as test } from '../harness/limited-server.ts';
import { type TestServer } from '../harness/start-server.ts';
import { formWith, uploadFile } from '../harness/uploads.ts';

const region = '/api/v3/session/server-info';
const info = '/api/v3/rest/get-account-info';
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

function limitsOf({ headers }: { headers: Headers }) {
  const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'];
  return names.map((name) => headers.get(name));
}

/** A person with an account, whose calls so far no longer count. */
async function signedIn(server: TestServer) {
  const person = await signUpAndIn(server);
  const token = person.browser.cookies.get(cookieName(server, 'session')) ?? '';
  server.clock.advance(seconds(10));
  return { ...person, cookie: { Cookie: `${cookieName(server, 'session')}=${token}` } };
}

const madeUp = (server: TestServer, turn = 0) => ({
  Cookie: `${cookieName(server, 'session')}=${String(turn).padStart(43, 'x')}`,
});

test('a key has four calls at once, with the remaining calls in each response', async ({ server }) => {
  const { apiKey } = await signedIn(server);
  const ask = () => call(server, info, { headers: { 'X-API-Key': apiKey } });
  for (const left of ['3', '2', '1', '0']) {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(limitsOf(answer)).toEqual(['4', left, '1', null]);
  }
  const refused = await ask();
  expect(refused).toMatchObject({
    status: 429,
    json: { success: false, error: { code: 'RATE_LIMITED', message: expect.any(String) } },
  });
  expect(limitsOf(refused)).toEqual(['4', '0', '1', '1']);
  expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(refused.headers.get('Cache-Control')).toBe('no-store');
});

const list = '/api/v3/rest/get-file-list';
const deletePath = '/api/v3/rest/delete-files';

/** Another session of the same account. */
async function sessionOf(server: TestServer, { email }: { email: string }) {
  const { db } = server.context;
  const { id } = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  const token = await startSession(server.context, id, { address: '127.0.0.1', agent: 'another' });
  return { Cookie: `${cookieName(server, 'session')}=${token}` };
}

test('all sessions of an account together have 128 calls at once, from any addresses', async ({ server }) => {
  const [person, other] = [await signedIn(server), await signedIn(server)];
  const sessions = await Promise.all([1, 2, 3, 4].map(() => sessionOf(server, person)));
  const ask = (turn: number) =>
    callFrom(server, `203.0.113.${turn}`, info, { headers: sessions[Math.floor(turn / 35)] ?? {} });
  expect(await statuses(130, ask)).toEqual([...times(128, 200), 429, 429]);
  expect(await call(server, info, { headers: other.cookie })).toMatchObject({ status: 200 });
  server.clock.advance(25);
  const late = await sessionOf(server, person);
  expect(await statuses(2, () => call(server, info, { headers: late }))).toEqual([200, 429]);
});

test('lists and deletions with a key share the limit of the account, and other calls do not', async ({ server }) => {
  const { apiKey } = await signedIn(server);
  const headers = { 'X-API-Key': apiKey };
  const deletion = { method: 'DELETE', headers, body: { files: ['none'] } };
  const from = (turn: number, path: string, request: RawCall) => callFrom(server, `203.0.113.${turn}`, path, request);
  expect(await statuses(64, (turn) => from(turn, list, { headers }))).toEqual(times(64, 200));
  expect(await statuses(66, (turn) => from(turn, deletePath, deletion))).toEqual([...times(64, 200), 429, 429]);
  expect(await statuses(2, (turn) => from(turn, info, { headers }))).toEqual([200, 200]);
});

test('a session has 40 calls at once and 20 a second, independent of its address', async ({ server }) => {
  const { cookie } = await signedIn(server);
  expect(await statuses(5, () => call(server, region))).toEqual([...times(4, 200), 429]);
  const ask = () => call(server, info, { headers: cookie });
  const first = await ask();
  expect(limitsOf(first)).toEqual(['40', '39', '1', null]);
  expect(await statuses(40, ask)).toEqual([...times(39, 200), 429]);
  expect(limitsOf(await ask())).toEqual(['40', '0', '2', '1']);
  server.clock.advance(seconds(1));
  expect(await statuses(21, ask)).toEqual([...times(20, 200), 429]);
});

test('an address may use 60 sessions that are not cached yet', async ({ server }) => {
  await signedIn(server);
  const { db } = server.context;
  const known = await db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  const tokens = Array.from({ length: 60 }, (_, at) => `session-${at}`);
  const copies = tokens.map((token) => ({ ...known, id: token, token_hash: sha256Hex(token) }));
  await db.insertInto('sessions').values(copies).execute();
  const ask = (turn: number) =>
    call(server, info, { headers: { Cookie: `${cookieName(server, 'session')}=${tokens[turn]}` } });
  expect(await statuses(60, ask)).toEqual(times(60, 200));
});

test('public calls of a session count against the session, also after a pause', async ({ server }) => {
  const { cookie, browser } = await signedIn(server);
  server.clock.advance(minutes(10));
  await statuses(5, () => call(server, region));
  expect(await statuses(10, () => call(server, region, { headers: cookie }))).toEqual(times(10, 200));
  server.clock.advance(minutes(10));
  await statuses(5, () => call(server, region));
  await browser.client.logout({});
});

test('a call with key and session is limited as a key', async ({ server }) => {
  const { cookie, apiKey } = await signedIn(server);
  const ask = () => call(server, info, { headers: { ...cookie, 'X-API-Key': apiKey } });
  expect(await statuses(5, ask)).toEqual([...times(4, 200), 429]);
});

test('invented sessions share the limit of their address', async ({ server }) => {
  const ask = (turn: number) => call(server, info, { headers: madeUp(server, turn) });
  expect(await statuses(20, ask)).toEqual([...times(4, 401), ...times(16, 429)]);
  const last = await ask(20);
  expect(limitsOf(last)).toEqual(['4', '0', '1', '1']);
  // They have also used up the allowance for calls without a session.
  expect(await statuses(1, () => call(server, region))).toEqual([429]);
});

test('a flood of invented sessions is refused before the look-up', async ({ server }) => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, turn) => call(server, info, { headers: madeUp(server, turn) })),
  );
  const bucketOf = ({ headers }: { headers: Headers }) => headers.get('RateLimit-Limit');
  // 40 were looked up, of which the address paid for four and could not pay for the rest.
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
  expect(answers.filter((answer) => answer.status === 429 && bucketOf(answer) === '4')).toHaveLength(36);
  expect(answers.filter((answer) => answer.status === 429 && bucketOf(answer) === '40')).toHaveLength(160);
});

test('an invented session on public and unknown paths has no limit of its own', async ({ server }) => {
  const headers = madeUp(server);
  expect(await statuses(5, () => call(server, region, { headers }))).toEqual([...times(4, 200), 429]);
  server.clock.advance(seconds(1));
  expect(await statuses(5, () => call(server, '/api/v3/nothing', { headers }))).toEqual([...times(4, 404), 429]);
});

test('an ended session has no limit of its own', async ({ server }) => {
  const { cookie, browser } = await signedIn(server);
  expect(await statuses(1, () => call(server, info, { headers: cookie }))).toEqual([200]);
  await browser.client.logout({});
  expect(await statuses(5, () => call(server, region, { headers: cookie }))).toEqual([...times(4, 200), 429]);
  server.clock.advance(seconds(10));
  expect(await statuses(6, () => call(server, info, { headers: cookie }))).toEqual([...times(4, 401), 429, 429]);
  server.clock.advance(seconds(10));
  expect(await statuses(5, () => call(server, region, { headers: cookie }))).toEqual([...times(4, 200), 429]);
});

test('IPv4 addresses are counted separately, and addresses of one IPv6 network together', async ({ server }) => {
  const from = (address: string) => statuses(5, () => callFrom(server, address, region));
  const fresh = [...times(4, 200), 429];
  expect(await from('203.0.113.1')).toEqual(fresh);
  expect(await from('203.0.113.2')).toEqual(fresh);
  expect(await from('2001:db8:1:2::1')).toEqual(fresh);
  expect(await from('2001:db8:1:2:ffff::9')).toEqual(times(5, 429));
  expect(await from('2001:db8:1:3::1')).toEqual(fresh);
  expect(await from('::ffff:203.0.113.1')).toEqual(times(5, 429));
  // A /48 has as many as four of its networks.
  await from('2001:db8:1:4::1');
  await from('2001:db8:1:5::1');
  expect(await from('2001:db8:1:6::1')).toEqual(times(5, 429));
  expect(await from('2001:db8:2:6::1')).toEqual(fresh);
});

test('addresses before the one that the trusted proxy adds are ignored', async ({ server }) => {
  const forged = (turn: number) => callFrom(server, `198.51.100.${turn}, 203.0.113.7`, region);
  expect(await statuses(6, forged)).toEqual([...times(4, 200), 429, 429]);
});

test.each([
  ['an unknown path', '/api/v3/nothing', {}, 404],
  ['the root', '/api', {}, 404],
  ['an escaped path', '/%61pi/v3/rest/get%2daccount-info', {}, 401],
  ['another method', region, { method: 'DELETE' }, 405],
  ['a body that is no JSON', '/api/v3/session/login', { method: 'POST', body: '{' }, 400],
  [
    'a body of another type',
    '/api/v3/session/login',
    { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/x' } },
    415,
  ],
  ['a body that is too large', '/api/v3/session/login', { method: 'POST', body: 'x'.repeat(300_000) }, 413],
  [
    'a write of another site',
    '/api/v3/session/logout',
    { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } },
    403,
  ],
  ['a wrong key', info, { headers: { 'X-API-Key': 'hf_x' } }, 401],
  ['a wrong Bearer token', info, { headers: { Authorization: 'Bearer hf_x' } }, 401],
  ['a call with different keys', info, { headers: { 'X-API-Key': 'hf_x', Authorization: 'Bearer hf_y' } }, 400],
])('%s counts as a call, and its response has the headers', async (_what, path, request, status) => {
  await using server = await startLimited();
  const first = await call(server, path, request);
  expect(first.status).toBe(status);
  expect(limitsOf(first)).toEqual(['4', '3', '1', null]);
  expect(await statuses(4, () => call(server, path, request))).toEqual([...times(3, status), 429]);
});

type Headed = Readonly<Record<string, string>>;

/** Sends an upload with a key or a session. Without a form it fails, but counts as well. */
const uploadWith = (server: TestServer, who: string | Headed, address = '127.0.0.1', body?: FormData) =>
  fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { ...(typeof who === 'string' ? { 'X-API-Key': who } : who), 'X-Forwarded-For': address },
    ...(body && { body }),
  });

test('a key has 200 uploads at once and 200 a second, from any address and beside its other calls', async ({
  server,
}) => {
  const { apiKey } = await signedIn(server);
  const address = (turn: number) => `198.51.100.${turn % 250}`;
  await statuses(4, () => call(server, region));
  const first = await uploadWith(server, apiKey, '127.0.0.1', formWith('hello'));
  expect(first.status).toBe(200);
  expect(limitsOf(first)).toEqual(['200', '199', '1', null]);
  for (let turn = 1; turn < 200; turn += 1) expect((await uploadWith(server, apiKey, address(turn))).status).toBe(415);
  const refused = await uploadWith(server, apiKey, address(200), formWith('hello'));
  expect(refused.status).toBe(429);
  expect(limitsOf(refused)).toEqual(['200', '0', '1', '1']);
  expect(await refused.json()).toEqual({ success: false, error: 'Too many requests. Slow down and try again.' });
  server.clock.advance(5);
  expect((await uploadWith(server, apiKey, address(201), formWith('hello'))).status).toBe(200);
  // They have used up nothing of another key at the same address, nor of the calls of an address.
  const other = await signedIn(server);
  expect((await uploadWith(server, other.apiKey, address(200))).status).toBe(415);
  expect(await callFrom(server, address(200), region)).toMatchObject({ status: 200 });
});

test('uploads with made-up, replaced and closed keys count for the address', async ({ server }) => {
  const { apiKey, browser } = await signedIn(server);
  expect((await uploadWith(server, apiKey)).status).toBe(415);
  await browser.client.changeApiKey();
  const ended = await Promise.all(Array.from({ length: 20 }, () => uploadWith(server, apiKey, '203.0.113.1')));
  expect(ended.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...times(4, 401), ...times(16, 429)]);
  for (const madeUpKey of ['hf_x', newApiKey()]) {
    server.clock.advance(seconds(60));
    const answers = [];
    for (let turn = 0; turn < 6; turn += 1) answers.push((await uploadWith(server, madeUpKey, '203.0.113.2')).status);
    expect(answers).toEqual([...times(4, 401), 429, 429]);
  }
});

test('a session has as many uploads as a key, beside its other calls', async ({ server }) => {
  const { cookie } = await signedIn(server);
  expect(await statuses(41, () => call(server, region, { headers: cookie }))).toEqual([...times(40, 200), 429]);
  const first = await uploadWith(server, cookie, '127.0.0.1', formWith('hello'));
  expect([first.status, ...limitsOf(first)]).toEqual([200, '200', '199', '1', null]);
  for (let turn = 1; turn < 200; turn += 1) expect((await uploadWith(server, cookie)).status).toBe(415);
  expect((await uploadWith(server, cookie, '127.0.0.1', formWith('hello'))).status).toBe(429);
  server.clock.advance(seconds(1));
  expect(await statuses(1, () => call(server, info, { headers: cookie }))).toEqual([200]);
});

test('the web app, files and preflights are not limited', async ({ server, account: person }) => {
  server.clock.advance(seconds(10));
  const name = await uploadFile(server, person);
  await statuses(5, () => call(server, region));
  for (const path of ['/', '/sign-in', `/file/${name}`, `/file/${name}.sha256`]) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(server, path)));
    expect(answers.filter(({ status }) => status === 429)).toEqual([]);
    for (const answer of answers) expect(limitsOf(answer)).toEqual([null, null, null, null]);
  }
  expect(await statuses(10, () => call(server, info, { method: 'OPTIONS' }))).toEqual(times(10, 204));
});

test('an upload by another method that comes too often is refused in the form of uploads', async ({ server }) => {
  const put = () => call(server, '/api/v3/upload', { method: 'PUT' });
  const answers = await Promise.all(Array.from({ length: 5 }, put));
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({ error: expect.any(String) as string });
});
