import { once } from 'node:events';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { expect } from 'vitest';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

test('with PUBLIC_URL set, an unknown host gets 421, and two Host headers are refused', async () => {
  await using server = await startServer({ PUBLIC_URL: 'http://app.example:8080' });
  const statusFor = async (...hosts: string[]) => {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
    return rawStatus(server.port, `GET /api/v3/session/server-info HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
  };
  expect(await statusFor('app.example:8080')).toBe(200);
  expect(await statusFor('APP.example:8080')).toBe(200);
  expect(await statusFor('evil.example')).toBe(421);
  expect(await statusFor('app.example')).toBe(421);
  expect(await statusFor('app.example:8080', 'app.example:8080')).toBe(400);
  expect(await statusFor('a b')).toBe(400);
  expect(await statusFor()).toBe(400);
});

test('without PUBLIC_URL any host is served, and the log recommends once to set it', async ({ server }) => {
  for (const host of ['192.168.0.7', 'nas.local']) {
    const request = `GET /api/v3/session/server-info HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await rawStatus(server.port, request)).toBe(200);
  }
  expect(server.log.filter((line) => line.includes('PUBLIC_URL'))).toHaveLength(1);
});

test('a wrong method is refused with the allowed methods in Allow', async ({ server }) => {
  for (const [method, path, allowed] of [
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/file/abcd1234', 'GET, HEAD, OPTIONS'],
    ['POST', '/speed-test/250MB.bin?tier=free', 'GET, HEAD, OPTIONS'],
    ['PUT', '/dashboard', 'GET, HEAD'],
    ['GET', '/api/v3/upload', 'POST'],
  ] as const) {
    const answer = await fetch(server.url + path, { method });
    expect(answer.status, `${method} ${path}`).toBe(405);
    expect(answer.headers.get('Allow')).toBe(allowed);
  }
});

test('a call without a body may still send a Content-Type', async ({ account }) => {
  const answer = await account.browser.fetch('/api/v3/session/logout', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  await expect(account.browser.client.getAccountInfo()).rejects.toMatchObject({ status: 401 });
});

test('a request before garbage on the same connection is answered', async ({ server }) => {
  const request = 'GET /api/v3/session/server-info HTTP/1.1\r\nHost: localhost\r\n\r\n';
  expect(await rawStatus(server.port, `${request}GARBAGE\r\n\r\n`)).toBe(200);
});

test.each([
  ['a call that was refused', 'POST /api/v3/session/login', '415'],
  ['a page', 'GET /', '200'],
  ['a link', 'GET /file/abcd', '404'],
])('the broken body of %s gets no second response', async (_, line, status) => {
  await using server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  // A chunk that is longer than its size.
  socket.write('1\r\nabc\r\n');
  const answers = String(first) + (await readAll(socket));
  expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`]);
});

test('a request with Expect: 100-continue is refused before its body is requested', async ({ server, account }) => {
  const head = (length: number) =>
    `POST /api/v3/upload HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${account.apiKey}\r\nExpect: 100-continue\r\n` +
    `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${length}\r\n\r\n`;
  expect(await rawStatus(server.port, head(200_000_000))).toBe(413);
  expect(await rawStatus(server.port, head(1_000))).toBe(100);
});

test('HTTP/1.0 gets no 100, and another expectation is ignored', async ({ server, account }) => {
  const form = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--edge--\r\n';
  const post = (version: string, expectation: string) =>
    `POST /api/v3/upload HTTP/${version}\r\nHost: localhost\r\nX-API-Key: ${account.apiKey}\r\n` +
    `Expect: ${expectation}\r\nContent-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
  expect(await rawStatus(server.port, post('1.0', '100-continue'))).toBe(200);
  expect(await rawStatus(server.port, post('1.1', 'more-of-it'))).toBe(200);
});

test('a wrong way to upload is refused with the right one', async ({ server }) => {
  for (const method of ['PUT', 'GET']) {
    const answer = await call(server, '/api/v3/upload', { method });
    expect(answer).toMatchObject({ status: 405, json: { error: expect.stringMatching(/by POST.* -F file=@FILE/) } });
  }
});

/** Returns the status of the first response to the text; the connection is then closed. */
async function rawStatus(port: number, text: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(first.toString('latin1', 9, 12));
}

test('an unused connection does not delay the shutdown of the server', async () => {
  const server = await startServer();
  const unused = connect(server.port, '127.0.0.1');
  await once(unused, 'connect');
  // The server knows the connection once it has responded on another one.
  await fetch(`${server.url}/api/v3/session/server-info`);
  const [ended] = await Promise.all([once(unused.resume(), 'close'), server[Symbol.asyncDispose]()]);
  expect(ended).toEqual([false]);
});

test('a call that is under way when the server begins to close is answered', async () => {
  const server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /api/v3/session/server-info HTTP/1.1\r\nHost: localhost\r\n');
  await call(server, '/api/v3/session/server-info');
  const closed = server[Symbol.asyncDispose]();
  await expect.poll(() => call(server, '/robots.txt').then(Boolean, () => false)).toBe(false);
  socket.write('\r\n');
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/is);
  await closed;
});
