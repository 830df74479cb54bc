import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endSlowBody } from './body-deadlines.ts';
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
