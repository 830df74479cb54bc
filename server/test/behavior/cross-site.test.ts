import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { goodPassword, signUpAndIn, cookieName } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { shareServer } from '../harness/server-test.ts';

const { server: shared, test } = await shareServer();

const all = Object.values<Endpoint>(endpoints);
const writes = all.filter(({ method }) => method !== 'GET');
const refused = 403;

test.each([
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a neighbor on the same site', { 'Sec-Fetch-Site': 'same-site' }],
  ['another origin', { Origin: 'https://evil.example' }],
  ['an opaque origin', { Origin: 'null' }],
  ['another port', { Origin: 'http://127.0.0.1:1' }],
  ['another site that says it is ours', { 'Sec-Fetch-Site': 'cross-site', Origin: 'OURS' }],
])('a write from %s is refused although it has the session cookie', async (_where, headers) => {
  const { browser } = await signUpAndIn(shared);
  const Cookie = `${cookieName(shared, 'session')}=${browser.cookies.get(cookieName(shared, 'session'))}`;
  const sent = { Cookie, ...headers, ...('Origin' in headers && headers.Origin === 'OURS' && { Origin: shared.url }) };
  for (const { method, path } of writes) {
    const answer = await call(shared, path, { method, headers: sent });
    expect(answer.status, path).toBe(refused);
    expect(answer.text).toContain('came from another site');
  }
  await browser.client.getAccountInfo();
});

test.each([
  ['our own pages', { 'Sec-Fetch-Site': 'same-origin' }],
  ['the address bar', { 'Sec-Fetch-Site': 'none' }],
  ['our origin in an old browser', { Origin: 'OURS' }],
  ['no browser', {}],
])('a write from %s is served', async (_where, headers) => {
  const { email } = await signUpAndIn(shared);
  const sent = 'Origin' in headers ? { Origin: shared.url } : headers;
  const body = { email, password: goodPassword };
  expect(await call(shared, endpoints.login.path, { method: 'POST', headers: sent, body })).toMatchObject({
    status: 200,
  });
});

test('with PUBLIC_URL set, the origin of an old browser must equal it', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://files.example.com' });
  const logout = (Origin: string) => call(server, endpoints.logout.path, { method: 'POST', headers: { Origin } });
  expect(await logout('https://files.example.com')).toMatchObject({ status: 200 });
  for (const origin of [server.url, 'http://files.example.com', 'https://files.example.com.evil.example'])
    expect(await logout(origin), origin).toMatchObject({ status: refused });
});

test('a call with a key may come from any site', async ({ account }) => {
  const name = await uploadFile(shared, account);
  const headers = { 'X-API-Key': account.apiKey, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  const answer = await call(shared, endpoints.toggleFavorite.path, { method: 'POST', headers, body: { file: name } });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

test('scripts of other sites may read only key routes and files, without cookies', async ({ account }) => {
  const name = await uploadFile(shared, account);
  for (const { method, path, access, aliases = [] } of all) {
    for (const url of [path, ...aliases]) {
      // Served, refused by us and refused before us: a script must be able to read all of them.
      for (const [headers, body] of [
        [{ 'X-API-Key': account.apiKey }, undefined],
        [{}, undefined],
        [{ 'X-API-Key': account.apiKey }, '{"broken'],
      ] as [Record<string, string>, string | undefined][]) {
        const answer = await call(shared, url, { method, headers, body: method === 'GET' ? undefined : body });
        const allowed = answer.headers.get('Access-Control-Allow-Origin');
        expect(allowed, `${method} ${url} → ${answer.status}`).toBe(access === 'account' ? '*' : null);
        expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
      }
    }
  }
  expect((await call(shared, `/file/${name}`)).headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect((await call(shared, '/')).headers.get('Access-Control-Allow-Origin')).toBeNull();
});

test('a preflight is answered for calls that take a key, and refused for others', async () => {
  for (const { method, path, access, aliases = [] } of all) {
    for (const url of [path, ...aliases]) {
      const answer = await call(shared, url, {
        method: 'OPTIONS',
        headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': method },
      });
      if (access === 'account') {
        expect(answer.status, url).toBe(204);
        expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
        expect(answer.headers.get('Access-Control-Allow-Methods')).toBe(method);
        expect(answer.headers.get('Access-Control-Allow-Headers')).toBe(
          `X-API-Key, Authorization, Content-Type${path === endpoints.upload.path ? ', Idempotency-Key' : ''}`,
        );
      } else {
        expect(answer.status, url).toBe(405);
        expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
      }
    }
  }
});
