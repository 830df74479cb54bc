import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { discardBody, endSlowBody } from './body-deadlines.ts';
import { readChunks } from './multipart.ts';

test.each([
  ['that its server reads is ended after 30 seconds without a byte', true],
  ['that its server does not read is not slow', false],
])('a body %s', async (_what, isRead) => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n${'x'.repeat(1_000_000)}`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using chunks = readChunks(request);
  endSlowBody(request);
  const readNext = async () => (await chunks.next()).value?.length ?? 0;
  let read = await readNext();
  if (isRead) {
    while (read < 1_000_000) read += await readNext();
    readNext().catch(() => {});
  } else await vi.waitUntil(() => request.isPaused());
  vi.advanceTimersByTime(60_000);
  expect(request.socket.destroyed).toBe(isRead);
});

test('a connection that the client wants closed is closed after the body that was refused', async () => {
  const server = createServer((request, response) => {
    response.writeHead(401).end('no');
    discardBody(request);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const closed = once(request.socket, 'close');
  const answer = (await socket.setEncoding('latin1').toArray()) as string[];
  expect(answer.join('')).toMatch(/^HTTP\/1\.1 401 /);
  socket.end('0123456789');
  await closed;
  expect(request.complete).toBe(true);
});
