/**
 * The requests that the nginx of docs/installation.md accepts for each host, and the facts about the client that it
 * sends to Holdfast.
 */
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { freePorts } from '@holdfast/test-support/free-ports.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { ask, type Question, type Reply } from './ask.ts';
import { appHost, fileHost, mirrorHost } from './proxy-in-front.ts';
import { type NginxInFront, settings, startNginx } from './start-nginx.ts';

const opened = new AsyncDisposableStack();
let server: TestServer;
let nginx: NginxInFront;
let name: string;

beforeAll(async () => {
  server = opened.use(await startServer({ ...settings, ACCEL: 'nginx' }));
  nginx = opened.use(await startNginx(server));
  name = await uploadFile(server, await signUpAndIn(server));
});
afterAll(() => opened.disposeAsync());

test('the app is served under its own name', async () => {
  const answer = await ask(nginx, '/api/v3/session/server-info');
  expect(answer).toMatchObject({ status: 200 });
  expect(JSON.parse(answer.body.toString())).toEqual({ success: true, region: 'Local' });
});

test.each([fileHost, mirrorHost])('%s serves only files', async (host) => {
  expect(await ask(nginx, `/file/${name}`, { host })).toMatchObject({ status: 200, body: Buffer.from('hello') });
  for (const path of ['/', '/sign-in', '/api/v3/session/server-info'])
    expect((await ask(nginx, path, { host })).status, path).toBe(404);
});

test('a link under the name of the app redirects to the file domain', async () => {
  const answer = await ask(nginx, `/file/${name}?no-count=true`);
  expect(answer.status).toBe(307);
  expect(answer.header('location')).toBe(`https://${fileHost}/file/${name}?no-count=true`);
});

test.each(['other.example', `x.${appHost}`, '127.0.0.1', `${appHost}.evil.example`])(
  'the host %s gets 421, over TLS and without',
  async (host) => {
    expect((await ask(nginx, '/', { host, servername: appHost })).status).toBe(421);
    expect((await ask(nginx, `/file/${name}`, { host, plain: true })).status).toBe(421);
  },
);

test('the name of the app with another port gets 421', async () => {
  expect((await ask(nginx, '/', { host: `${appHost}:8443`, servername: appHost })).status).toBe(421);
});

test('an unknown TLS name gets no certificate', async () => {
  await expect(nginx.connect('other.example')).rejects.toThrow(/unrecognized name/);
});

test.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])('a client that supports only %s can connect', async (version) => {
  const ca = await readFile(nginx.certificate);
  const versions = { minVersion: version, maxVersion: version };
  const socket = connect({ port: nginx.port, host: '127.0.0.1', servername: appHost, ca, ...versions });
  await once(socket, 'secureConnect');
  expect(socket.getProtocol()).toBe(version);
  socket.destroy();
});

test('a client that supports TLS 1.2 and 1.3 gets 1.3', async () => {
  const socket = await nginx.connect(appHost);
  expect(socket.getProtocol()).toBe('TLSv1.3');
  socket.destroy();
});

test.each([appHost, fileHost, mirrorHost])('http://%s redirects to https, keeping path and query', async (host) => {
  const path = `/file/${name}.txt?no-count=true&x=%2F%20`;
  const answer = await ask(nginx, path, { host, plain: true, method: 'POST' });
  expect(answer.status).toBe(308);
  expect(answer.header('location')).toBe(`https://${host}${path}`);
});

test('a call of the API over plain HTTP is refused, and is not redirected', async () => {
  for (const path of ['/api/v3/rest/get-file-list', '/api'])
    expect(await ask(nginx, path, { plain: true, headers: { 'X-API-Key': 'hf_key' } })).toMatchObject({ status: 403 });
  expect((await ask(nginx, '/', { plain: true })).status).toBe(308);
});

test('the access log has the path of a request, and neither its query nor its Referer', async () => {
  const Referer = `https://${appHost}/reset-password?key=CANARY-2`;
  await ask(nginx, '/reset-password?key=CANARY-1', { headers: { Referer, 'X-API-Key': 'CANARY-3' } });
  const log = () => readFile(nginx.accessLog, 'utf8');
  await expect.poll(log).toContain(`${appHost} "GET /reset-password HTTP/1.1" 200`);
  expect(await log()).not.toContain('CANARY');
});

test.each([appHost, fileHost, mirrorHost])('a certificate for %s can be renewed over plain HTTP', async (host) => {
  const folder = join(nginx.webRoot, '.well-known', 'acme-challenge');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'token'), 'proof');
  const answer = await ask(nginx, '/.well-known/acme-challenge/token', { host, plain: true });
  expect(answer).toMatchObject({ status: 200, body: Buffer.from('proof') });
});

test('a path that is too long gets the response of Holdfast', async () => {
  const answer = await ask(nginx, `/file/${'a'.repeat(12_000)}`, { host: fileHost });
  expect(answer).toMatchObject({ status: 404, body: Buffer.from('There is no such file.\n') });
});

test('Holdfast gets the true address, host and scheme, and no forged headers', async () => {
  const echo = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as { port: number };
  await using front = await startNginx({ port, dataDir: tmpdir() });
  const claims = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Proto': 'http',
    'X-Forwarded-Host': 'other.example',
    Forwarded: 'for=203.0.113.9',
  };
  const answer = await ask(front, '/', { host: fileHost, headers: claims, from: '127.0.0.77' });
  expect(JSON.parse(answer.body.toString())).toEqual({
    host: fileHost,
    'x-forwarded-for': '127.0.0.77',
    'x-forwarded-proto': 'https',
  });
  echo.close();
});

const hsts = 'strict-transport-security: max-age=31536000';
const nosniff = 'x-content-type-options: nosniff';
const noContent = "content-security-policy: default-src 'none'; frame-ancestors 'none'";

/** The header lines that keep a browser from misusing a response. The nonce of a page differs each time. */
const guardsOf = ({ headers }: Reply): readonly string[] =>
  headers
    .map(([header, value]) => `${header}: ${value.replace(/'nonce-[^']+'/, "'nonce'")}`)
    .filter((line) => /^(strict-transport-security|x-content-type-options|content-security-policy)/.test(line));

const plainText = 'text/plain; charset=utf-8';
const page = 'text/html; charset=utf-8';

test.each<[what: string, path: string, question: Question, status: number, type: string]>([
  ['an unknown host', '/', { host: 'other.example', servername: appHost }, 421, plainText],
  ['a host that is no name', '/', { host: `${appHost}/`, servername: appHost }, 400, page],
  ['a method that nginx refuses', '/', { method: 'TRACE' }, 405, page],
])('the response of nginx to %s has HSTS, nosniff, a policy and a charset', async (...row) => {
  const [, path, question, status, type] = row;
  const answer = await ask(nginx, path, question);
  expect(answer.status).toBe(status);
  expect(guardsOf(answer)).toEqual([noContent, hsts, nosniff]);
  expect(answer.header('content-type')).toBe(type);
});

test('a 502, when Holdfast does not run, has HSTS, nosniff, a policy and a charset', async () => {
  const [port = 0] = await freePorts(1);
  await using front = await startNginx({ port, dataDir: tmpdir() });
  for (const host of [appHost, fileHost, mirrorHost]) {
    const answer = await ask(front, '/', { host });
    expect(answer.status).toBe(502);
    expect(guardsOf(answer)).toEqual([noContent, hsts, nosniff]);
    expect(answer.header('content-type')).toBe(page);
  }
});

test.each<[path: string, host: string, status: number, type: string]>([
  ['/', 'other.example', 421, plainText],
  ['/', appHost, 308, page],
  ['/api', appHost, 403, plainText],
  ['/.well-known/acme-challenge/none', appHost, 404, page],
])('over plain HTTP, %s of %s has nosniff, a policy and a charset, but no HSTS', async (path, host, status, type) => {
  const answer = await ask(nginx, path, { host, plain: true });
  expect(answer.status).toBe(status);
  expect(guardsOf(answer)).toEqual([noContent, nosniff]);
  expect(answer.header('content-type')).toBe(type);
});

test('a response of Holdfast keeps its own HSTS, nosniff, policy and content type, each once', async () => {
  for (const path of ['/', '/no/such', '/assets/no.js', '/api/v3/session/server-info', '/api/v3/no', `/file/${name}`]) {
    const own = await ask({ ...nginx, httpPort: server.port }, path, { plain: true });
    const through = await ask(nginx, path);
    expect(guardsOf(through), path).toHaveLength(3);
    expect(guardsOf(through), path).toEqual(guardsOf(own));
    expect(through.header('content-type'), path).toBe(own.header('content-type'));
  }
});
