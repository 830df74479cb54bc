import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { openLine } from '../harness/raw-http.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const all = Object.values<Endpoint>(endpoints);
const withJsonBody = all.filter(({ body }) => body !== undefined);
const json = { 'Content-Type': 'application/json' };

/** Every API response is our envelope and must not be cached, sniffed, framed or executed. */
function expectEnvelope(
  answer: { status: number; headers: NodeJS.Dict<string | string[]>; text: string },
  status: number,
  code: string,
): void {
  expect({ status: answer.status, text: answer.text }).toEqual({
    status,
    text: expect.stringMatching(/^\{"success":false,"error":.+\}$/),
  });
  const { error } = JSON.parse(answer.text) as { error: unknown };
  // Only `upload` returns the plain message.
  if (typeof error !== 'string') expect(error).toEqual({ code, message: expect.stringMatching(/\S/) });
  expect(answer.headers).toMatchObject(apiHeaders);
}

const apiHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Returns the credentials for a call of this kind. */
const credentialsOf = ({ apiKey, browser }: SignedIn, access: Endpoint['access']): Record<string, string> =>
  access === 'session'
    ? { Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    : { 'X-API-Key': apiKey };

async function rowCounts(server: TestServer): Promise<number[]> {
  const { db } = server.context;
  const counts = [];
  for (const table of ['accounts', 'sessions', 'email_codes', 'files', 'blobs'] as const)
    counts.push((await db.selectFrom(table).selectAll().execute()).length);
  return counts;
}

test.each([
  '/api',
  '/api/v3/',
  '/api/v4/upload',
  '/api/v3/rest/GET-FILE-LIST',
  '/api/v3/rest/../../../etc/passwd',
  '/api/v3/rest/__proto__',
  `/api/v3/${'a'.repeat(5_000)}`,
])('%.60s is not found, by any method', async (path) => {
  using line = openLine(shared);
  for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])
    expectEnvelope(await line.send(method, path, json, method === 'GET' ? undefined : '{}'), 404, 'NOT_FOUND');
  expect((await line.send('HEAD', path)).status).toBe(404);
});

test.each(['/api/v3/%zz', '/api/v3/%'])('the broken address %s is refused', async (path) => {
  using line = openLine(shared);
  expectEnvelope(await line.send('GET', path), 400, 'INVALID_INPUT');
});

test('every call answers other methods with 405 and its methods in Allow', async ({ server }) => {
  using line = openLine(server);
  for (const { path, method, aliases = [] } of all) {
    const has: readonly string[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    for (const url of [path, ...aliases]) {
      for (const wrong of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD'].filter((other) => !has.includes(other))) {
        const answer = await line.send(wrong, url, json, wrong === 'GET' || wrong === 'HEAD' ? undefined : '{}');
        expect(answer.headers['allow'], `${wrong} ${url}`).toBe(has.join(', '));
        if (wrong === 'HEAD') expect(answer).toMatchObject({ status: 405, text: '' });
        else expectEnvelope(answer, 405, 'METHOD_NOT_ALLOWED');
      }
    }
  }
});

const brokenBodies: readonly [string, string, number][] = [
  ['cut-off JSON', '{"file": ', 400],
  ['nothing', '', 400],
  ['null', 'null', 400],
  ['an object with nothing in it', '{}', 400],
  ['a prototype', '{"__proto__": {"email": "eve@example.com"}}', 400],
  ['numbers for texts', '{"file": 1, "files": [1], "email": 1, "password": 1, "password2": 1, "code": 1}', 400],
  ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 400],
  ['a text in another encoding', '\u0000\u00ff', 400],
  ['more than 64 KB', `{"file": "${'x'.repeat(64 * 1024)}"}`, 413],
];

test.each(brokenBodies)(
  'a body of %s is refused, stores nothing and leaves the connection usable',
  async (_what, body, status) => {
    await using server = await startServer();
    const account = await signUpAndIn(server);
    const before = await rowCounts(server);
    using line = openLine(server);
    for (const { method, path, access } of withJsonBody) {
      const headers = { ...json, ...credentialsOf(account, access) };
      const answer = await line.send(method, path, headers, body);
      expectEnvelope(answer, status, status === 413 ? 'PAYLOAD_TOO_LARGE' : 'INVALID_INPUT');
      const next = await line.send('GET', endpoints.serverInfo.path);
      expect(next).toMatchObject({ status: 200, text: '{"success":true,"region":"Local"}' });
      expect(next.reused, path).toBe(true);
    }
    expect(await rowCounts(server)).toEqual(before);
  },
);

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=edge',
  'application/xml',
  'application/json2',
  'nonsense',
])('a body of type %s is refused with 415 where JSON is expected', async (type) => {
  const { apiKey } = await signUpAndIn(shared);
  const before = await rowCounts(shared);
  using line = openLine(shared);
  for (const { method, path } of withJsonBody) {
    const body = JSON.stringify({ email: 'eve@example.com', password: goodPassword, password2: goodPassword });
    const headers = { 'Content-Type': type, 'X-API-Key': apiKey };
    expectEnvelope(await line.send(method, path, headers, body), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect((await line.send('GET', endpoints.serverInfo.path)).reused).toBe(true);
  }
  expect(await rowCounts(shared)).toEqual(before);
});

test('a client gets the refusal of a large body before it has sent it all', async ({ server }) => {
  const body = `{"email": "${'x'.repeat(5_000_000)}"}`;
  const answer = await call(server, endpoints.login.path, { method: 'POST', body });
  expect(answer).toMatchObject({ status: 413, json: { success: false, error: { code: 'PAYLOAD_TOO_LARGE' } } });
});

test('every successful GET of the API has the headers of an API response', async ({ server, account }) => {
  const file = await uploadFile(server, account);
  for (const { path, access } of all.filter(({ method }) => method === 'GET')) {
    const answer = await call(server, `${path}?action=login&days=30&file=${file}`, {
      headers: credentialsOf(account, access),
    });
    expect(answer.status, path).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject(apiHeaders);
  }
});

test('an unexpected failure is a 500 without its cause', async ({ server, account }) => {
  await uploadFile(server, account);
  await server.context.db.schema.alterTable('files').renameTo('elsewhere').execute();
  using line = openLine(server);
  const answer = await line.send('GET', endpoints.getFileList.path, { 'X-API-Key': account.apiKey });
  expectEnvelope(answer, 500, 'INTERNAL');
  expect(answer.text).not.toMatch(/files|table|relation|SQL/i);
  expect(server.log.join('\n')).toMatch(/files/);
});
