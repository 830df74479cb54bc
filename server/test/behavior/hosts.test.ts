import { expect, test } from 'vitest';
import { hours } from '../../src/lib/clock.ts';
import { policies } from '../delivery/policies.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { openLine } from '../harness/raw-http.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

const publicUrl = 'https://app.example';
const separate = { PUBLIC_URL: publicUrl, FILE_ORIGINS: 'https://files.example,https://mirror.example:8443' };

async function get(server: TestServer, host: string, path: string, method = 'GET') {
  using line = openLine(server);
  return await line.send(method, path, { Host: host });
}

test.each(['files.example', 'FILES.example', 'mirror.example:8443'])('%s serves only files', async (host) => {
  await using server = await startServer(separate);
  const name = await uploadFile(server, await signUpAndIn(server));
  expect(await get(server, host, `/file/${name}`)).toMatchObject({ status: 200, text: 'hello' });
  expect((await get(server, host, '/speed-test/250MB.bin?tier=free', 'HEAD')).status).toBe(200);
  for (const path of [
    '/',
    '/sign-in',
    '/dashboard',
    '/assets/',
    '/theme.js',
    '/share',
    '/share-worker.js',
    '/favicon.svg',
    '/file',
    '/files',
    '/speed-test',
    '/api/v3/session/server-info',
    '/api/v3/rest/get-account-info',
  ])
    for (const method of ['GET', 'POST']) {
      const answer = await get(server, host, path, method);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, text: 'There is no such file.\n' });
      expect(answer.headers['content-security-policy']).toBe(policies.plain);
    }
});

test('the app redirects links to the origin of files, so old links still work', async () => {
  await using server = await startServer(separate);
  const name = await uploadFile(server, await signUpAndIn(server));
  for (const [asked, path = asked] of [
    [`/file/${name}`],
    [`/file/${name}.txt?no-count=true`],
    ['/file/nosuchfile'],
    [`http://app.example/file/${name}`, `/file/${name}`],
  ] as const) {
    const answer = await get(server, 'app.example', asked);
    expect(answer).toMatchObject({ status: 307, headers: { location: `https://files.example${path}` } });
    // A script of any site may follow the redirect, which contains nothing useful to it.
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['content-security-policy']).toBe(policies.plain);
  }
  const asked = await get(server, 'app.example', `/file/${name}`, 'OPTIONS');
  expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'GET, HEAD, OPTIONS' } });
  expect((await get(server, 'app.example', '/api/v3/session/server-info')).status).toBe(200);
});

test.each([
  ['the only origin', { PUBLIC_URL: publicUrl }],
  ['one of the origins of files', { PUBLIC_URL: publicUrl, FILE_ORIGINS: `https://files.example,${publicUrl}` }],
])('the app that is %s serves files itself', async (_, environment) => {
  await using server = await startServer(environment);
  const name = await uploadFile(server, await signUpAndIn(server));
  expect(await get(server, 'app.example', `/file/${name}`)).toMatchObject({ status: 200, text: 'hello' });
  expect((await get(server, 'app.example', '/api/v3/session/server-info')).status).toBe(200);
});

test('no spelling of a path or a host reaches files on the origin of the app', async () => {
  await using server = await startServer(separate);
  const name = await uploadFile(server, await signUpAndIn(server));
  for (const path of [`/%66ile/${name}`, `/fil%65/${name}`, '/speed%2Dtest/250MB.bin?tier=free'])
    expect((await get(server, 'app.example', path)).status, path).toBe(307);
  expect(await get(server, 'files.example', `/%66ile/${name}`)).toMatchObject({ status: 200, text: 'hello' });
  // The host in the request target counts.
  expect((await get(server, 'files.example', `https://app.example/file/${name}`)).status).toBe(307);
  expect((await get(server, 'files.example', `https://evil.example/file/${name}`)).status).toBe(421);
  expect((await get(server, 'evil.example', `https://files.example/file/${name}`)).status).toBe(200);
});

test('the default port may be given in the host', async () => {
  await using server = await startServer({ PUBLIC_URL: 'http://app.example', FILE_ORIGINS: 'https://files.example' });
  const name = await uploadFile(server, await signUpAndIn(server));
  expect((await get(server, 'files.example:443', `/file/${name}`)).status).toBe(200);
  expect((await get(server, 'app.example:80', '/api/v3/session/server-info')).status).toBe(200);
  for (const host of ['files.example:80', 'app.example:443'])
    expect((await get(server, host, `/file/${name}`)).status, host).toBe(421);
});

test('without PUBLIC_URL, files still have their configured origins', async () => {
  await using server = await startServer({ FILE_ORIGINS: 'http://files.example' });
  const name = await uploadFile(server, await signUpAndIn(server));
  expect((await get(server, 'files.example', `/file/${name}`)).status).toBe(200);
  expect((await get(server, 'files.example', '/api/v3/session/server-info')).status).toBe(404);
  expect((await get(server, '192.168.0.7', '/api/v3/session/server-info')).status).toBe(200);
  expect(await get(server, '192.168.0.7', `/file/${name}`)).toMatchObject({
    status: 307,
    headers: { location: `http://files.example/file/${name}` },
  });
});

const warnings = ({ log }: TestServer, of: string) => log.filter((line) => line.includes(of));

test('the log names a host that is refused and those that are served once an hour, and at most 20 of them', async () => {
  await using server = await startServer(separate);
  const ask = async (host: string) => (await get(server, host, '/')).text;
  for (let round = 0; round < 2; round += 1)
    for (let name = 1; name <= 30; name += 1) expect(await ask(`evil-${name}.example`)).not.toContain('app.example');
  const logged = warnings(server, 'get 421');
  expect(logged).toHaveLength(20);
  expect(logged[0]).toContain(
    'Requests for the host evil-1.example get 421, because PUBLIC_URL and FILE_ORIGINS name only ' +
      'https://app.example, https://files.example, https://mirror.example:8443. ',
  );
  server.clock.advance(hours(1));
  await ask('evil-1.example');
  expect(warnings(server, 'host evil-1.example get')).toHaveLength(2);
});

const forwarded = { 'X-Forwarded-For': '203.0.113.7' };

test.each(['/sign-in', '/file/q7Rt2mXa'])(
  'a proxy that TRUST_PROXY does not name is logged once an hour: %s',
  async (path) => {
    await using server = await startServer();
    using line = openLine(server);
    const ask = (headers: Readonly<Record<string, string>>) =>
      line.send('GET', path, { Host: `localhost:${server.port}`, ...headers });
    for (const headers of [{}, forwarded, { Forwarded: 'for=203.0.113.7' }]) await ask(headers);
    expect(warnings(server, 'TRUST_PROXY')).toEqual([
      expect.stringContaining('TRUST_PROXY does not name 127.0.0.1: all visitors count as one, with one set of limits'),
    ]);
    expect(warnings(server, 'set TRUST_PROXY=127.0.0.1')).toHaveLength(1);
    server.clock.advance(hours(1));
    await ask({ Via: '1.1 proxy.example' });
    expect(warnings(server, 'TRUST_PROXY')).toHaveLength(2);
  },
);

test('a proxy that TRUST_PROXY names is not logged', async () => {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.0/8' });
  using line = openLine(server);
  await line.send('GET', '/sign-in', { Host: `localhost:${server.port}`, ...forwarded });
  expect(warnings(server, 'TRUST_PROXY')).toEqual([]);
});
