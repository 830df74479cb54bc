import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../harness/start-server.ts';

const separate = { PUBLIC_URL: 'https://app.example', FILE_ORIGINS: 'https://files.example' };

const refused = [
  ['a POST to the host of files', 'POST / HTTP/1.1\r\nHost: files.example', '404'],
  ['a POST of a link to the host of files', 'POST /file/abc HTTP/1.1\r\nHost: files.example', '405'],
  ['a GET with a body of the host of files', 'GET / HTTP/1.1\r\nHost: files.example', '404'],
  ['a POST of a link to the host of the app', 'POST /file/abc HTTP/1.1\r\nHost: app.example', '307'],
  ['a GET with a body of a link at the host of the app', 'GET /file/abc HTTP/1.1\r\nHost: app.example', '307'],
  ['a POST to a path that cannot be decoded', 'POST /file/%zz HTTP/1.1\r\nHost: files.example', '400'],
  ['a GET with a body of a page', 'GET / HTTP/1.1\r\nHost: app.example', '200'],
  ['an OPTIONS of a page', 'OPTIONS / HTTP/1.1\r\nHost: app.example', '405'],
  ['a GET with a body of a link', 'GET /file/abc HTTP/1.1\r\nHost: files.example', '404'],
] as const;

/** A reset is an error to `once`, but it is the expected end here. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

async function open(port: number, head: string, length: number): Promise<{ socket: Socket; status: string }> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\nx`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return { socket, status: answer.toString('latin1').slice(9, 12) };
}

test.each(refused)('%s is closed after ten seconds if its body never ends', async (_, head, status) => {
  await using server = await startServer(separate);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = await open(server.port, head, 1_000);
  expect(asked.status).toBe(status);
  const ended = closed(asked.socket);
  vi.advanceTimersByTime(9_000);
  asked.socket.write('x');
  await new Promise(setImmediate);
  expect(asked.socket.closed).toBe(false);
  vi.advanceTimersByTime(2_000);
  await ended;
  expect(asked.socket.errored).toMatchObject({ code: 'ECONNRESET' });
});

test.each([
  ['a page', '/', '405'],
  ['a link', '/file/abc', '405'],
  ['nothing', '/nothing', '405'],
  ['an unknown call', '/api/v3/nothing', '404'],
  ['a call without a body', '/api/v3/session/logout', '100'],
])('a chunked body that is sent to %s gets ten seconds', async (_, path, status) => {
  await using server = await startServer();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  const ended = closed(socket);
  const received: string[] = [];
  socket.on('data', (data) => received.push(data.toString('latin1')));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n`);
  socket.write(`${status === '100' ? 'Expect: 100-continue\r\n' : ''}Transfer-Encoding: chunked\r\n\r\n`);
  await vi.waitFor(() => expect(received.join('')).toContain(`HTTP/1.1 ${status}`));
  for (let second = 0; second < 11; second += 1) {
    socket.write(`384\r\n${'x'.repeat(900)}\r\n`);
    await new Promise(setImmediate);
    if (second < 9) expect(socket.closed).toBe(false);
    vi.advanceTimersByTime(1_000);
  }
  await ended;
  expect(socket.errored).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
});

const upload = 'POST /api/v3/upload HTTP/1.1\r\nHost: app.example\r\nContent-Type: multipart/form-data; boundary=b';

test.each([
  ['without credentials', '', '401'],
  ['with a made-up key', '\r\nX-API-Key: hf_x', '401'],
  ['of another site', '\r\nSec-Fetch-Site: cross-site', '403'],
])('an upload %s is closed after half a minute if its body drips on', async (_, header, status) => {
  await using server = await startServer(separate);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = await open(server.port, upload + header, 900_000_000);
  expect(asked.status).toBe(status);
  const ended = closed(asked.socket);
  for (let second = 0; second < 31; second += 1) {
    asked.socket.write('x'.repeat(1_200));
    await new Promise(setImmediate);
    if (second < 29) expect(asked.socket.closed).toBe(false);
    vi.advanceTimersByTime(1_000);
  }
  await ended;
  expect(asked.socket.errored).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
});

/** Their sender may have meant an upload, so it is read for ten seconds and the sender sees the response. */
const readLonger: ReadonlySet<string> = new Set(['a POST of a link to the host of files', 'an OPTIONS of a page']);

test.each(refused.filter(([what]) => !readLonger.has(what)))('%s is not read to its end', async (_, head) => {
  await using server = await startServer(separate);
  const { socket } = await open(server.port, head, 300_000_000);
  const chunk = Buffer.alloc(1_000_000);
  let sent = 0;
  const send = () => socket.write(chunk, (error) => error ?? ((sent += chunk.length) < 299_000_000 && send()));
  send();
  await closed(socket);
  expect(sent).toBeLessThan(60_000_000);
});
