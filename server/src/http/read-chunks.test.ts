import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readChunks } from './multipart.ts';

/** A request of `length` bytes that the client sends by `socket`. */
async function openRequest(length: number) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  return {
    socket,
    request,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

const sendMuch = (socket: Socket, bytes: number) => socket.write(Buffer.alloc(bytes, 'x'));

test('a body that nobody reads stops its client', async () => {
  await using sent = await openRequest(50_000_000);
  await using chunks = readChunks(sent.request);
  expect((await (sendMuch(sent.socket, 50_000_000), chunks.next())).value?.length).toBeGreaterThan(0);
  await expect.poll(() => sent.request.isPaused()).toBe(true);
  expect(sent.request.socket.bytesRead).toBeLessThan(1_000_000);
});

test('a client that disconnects fails the read, whether it waits or comes later', async () => {
  for (const waits of [true, false]) {
    await using sent = await openRequest(1_000);
    await using chunks = readChunks(sent.request);
    sent.socket.write('half');
    expect((await chunks.next()).value?.toString()).toBe('half');
    const waiting = waits ? chunks.next() : null;
    waiting?.catch(() => {});
    const closed = new Promise((resolve) => sent.request.once('close', resolve));
    sent.socket.destroy();
    await closed;
    await expect(waiting ?? chunks.next()).rejects.toMatchObject({ code: 'UPLOAD_INTERRUPTED' });
  }
});

test('a fast body leaves the event loop to others every few hundred kilobytes', async () => {
  const length = 60_000_000;
  await using sent = await openRequest(length);
  await using chunks = readChunks(sent.request);
  sendMuch(sent.socket, length);
  let received = 0;
  let inTurn = 0;
  let most = 0;
  const nextTurn = () => {
    inTurn = 0;
    if (received < length) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  for await (const chunk of chunks) {
    received += chunk.length;
    inTurn += chunk.length;
    most = Math.max(most, inTurn);
  }
  expect(received).toBe(length);
  expect(most).toBeLessThan(600_000);
});
