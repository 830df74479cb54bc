/** Plain links take a short way past the framework. With an empty query the same link takes the usual way. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { expect } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { createPlainLinks } from '../../src/delivery/plain-links.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { openLine } from '../harness/raw-http.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

/** The same request on both ways. Each answer has a date of its own. */
async function bothWays(server: TestServer, method: string, path: string, headers: Record<string, string> = {}) {
  using line = openLine(server);
  const answers = [];
  for (const target of [path, `${path}?`]) {
    const { status, headers: received, text: body } = await line.send(method, target, headers);
    const { date, ...others } = received;
    answers.push({ status, headers: others, body, hasDate: date !== undefined });
  }
  return answers;
}

async function openShelf(environment = {}) {
  const server = await startServer(environment);
  const account = await signUpAndIn(server, { plan: 'power' });
  const name = await uploadFile(server, account, 'a song of the sea', 'Sea song é.mp3');
  return { server, account, name, etag: `"${sha256('a song of the sea')}"` };
}

const yesterday = 'Mon, 01 Jan 1990 00:00:00 GMT';

test('plain links take the short way, and all other requests the usual one', async ({ server }) => {
  const { context } = server;
  const own = `localhost:${server.port}`;
  const wayOf = async (settings: Partial<Config>, method: string, path: string, host = own, body?: string) => {
    const config = { ...context.config, ...settings };
    const plain = createPlainLinks({ config }, async ({ response }) => {
      response.end('short');
    });
    const probe = createServer((request, response) => void (plain(request, response) || response.end('usual')));
    await once(probe.listen(0, '127.0.0.1'), 'listening');
    using line = openLine({ port: (probe.address() as AddressInfo).port });
    const { text } = await line.send(method, path, { Host: host }, body);
    probe.close();
    return text;
  };
  for (const path of ['/file/abcdefgh', '/file/abcdefgh.mp3', '/file/abcdefgh.sha256', '/file/abcdefgh.mp3.sha256'])
    expect(await wayOf({}, 'GET', path)).toBe('short');
  const others = [
    await wayOf({}, 'GET', '/file/abcdefgh?no-count=true'),
    await wayOf({}, 'GET', '/file/abcdefg'),
    await wayOf({}, 'GET', '/file/abcdefg.mp3'),
    await wayOf({}, 'GET', '/file/%61bcdefgh'),
    await wayOf({}, 'GET', `http://${own}/file/abcdefgh`),
    await wayOf({}, 'GET', '/files/abcdefgh'),
    await wayOf({}, 'POST', '/file/abcdefgh'),
    await wayOf({}, 'GET', '/file/abcdefgh', own, 'a body'),
    await wayOf({}, 'GET', '/file/abcdefgh', 'elsewhere.test'),
    await wayOf({ trustProxy: ['127.0.0.1'] }, 'GET', '/file/abcdefgh'),
  ];
  expect(others).toEqual(others.map(() => 'usual'));
});

test('a link is answered in the same way with and without the framework', async () => {
  const { server, name, etag } = await openShelf();
  await using _ = server;
  const requests: [method: string, suffix: string, headers?: Record<string, string>][] = [
    ['GET', ''],
    ['GET', '.mp3'],
    ['GET', '.MP3'],
    ['HEAD', '.mp3'],
    ['GET', '.sha256'],
    ['GET', '.mp3.sha256'],
    ['GET', '.zip'],
    ['GET', 'X.mp3'],
    ['GET', '.mp3', { Range: 'bytes=2-5' }],
    ['GET', '.mp3', { Range: 'bytes=0-0,4-' }],
    ['GET', '.mp3', { Range: 'bytes=90-' }],
    ['GET', '.mp3', { Range: 'bytes=0-3', 'If-Range': etag }],
    ['GET', '.mp3', { 'If-None-Match': etag }],
    ['GET', '.mp3', { 'If-Match': '"other"' }],
    ['GET', '.mp3', { 'If-Modified-Since': yesterday }],
    ['GET', '.mp3', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'script' }],
    ['GET', '.mp3', { 'Service-Worker': 'script' }],
    ['DELETE', '.mp3'],
    ['OPTIONS', '.mp3'],
    ['POST', '.mp3'],
  ];
  const statuses = [];
  for (const [method, suffix, headers] of requests) {
    const [short, usual] = await bothWays(server, method, `/file/${name}${suffix}`, headers);
    expect(short, `${method} ${suffix} ${JSON.stringify(headers)}`).toEqual(
      // The boundary of a multipart answer is drawn for each.
      headers?.['Range']?.includes(',') ? { ...usual, headers: expect.anything(), body: expect.any(String) } : usual,
    );
    statuses.push(short?.status);
  }
  expect(statuses).toEqual([
    200, 200, 200, 200, 200, 200, 404, 404, 206, 206, 416, 206, 304, 412, 200, 403, 403, 405, 204, 405,
  ]);
});

test('the short way is for our own hosts that serve files only', async () => {
  const { server, name } = await openShelf({ PUBLIC_URL: 'http://app.test', FILE_ORIGINS: 'http://files.test' });
  await using _ = server;
  const path = `/file/${name}.mp3`;
  const statuses = [];
  for (const host of ['files.test', 'FILES.test:80', 'app.test', 'other.test', 'files.test evil']) {
    const [short, usual] = await bothWays(server, 'GET', path, { Host: host });
    expect(short?.status).toBe(usual?.status);
    statuses.push(short?.status);
  }
  expect(statuses).toEqual([200, 200, 307, 421, 400]);
  expect(await sendRaw(server, `GET ${path} HTTP/1.1\r\nHost: files.test\r\nHost: files.test\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 400 /,
  );
  expect(await sendRaw(server, `GET http://app.test${path} HTTP/1.1\r\nHost: files.test\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 307 /,
  );
});

test('a body that nobody asked for does not become the next request', async () => {
  const { server, name } = await openShelf();
  await using _ = server;
  const get = getOf(server, name);
  const withBody = (body: string) => get.replace(/\r\n$/, `Content-Length: ${body.length}\r\n\r\n${body}`);
  const countOf = async (request: string) => (await sendRaw(server, request)).match(/HTTP\/1.1 200/g)?.length;
  expect(await countOf(withBody(get))).toBe(1);
  expect(await countOf(withBody(get) + get)).toBe(2);
});

const getOf = ({ port }: TestServer, name: string) => `GET /file/${name} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`;

/** Sends the text on a connection of its own, then a request that ends the connection. Returns everything that arrives. */
async function sendRaw({ port }: TestServer, request: string): Promise<string> {
  const socket = createConnection({ host: '127.0.0.1', port });
  socket.write(`${request}GET /api/v3/none HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}
