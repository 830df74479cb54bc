import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { processCounts } from '../lib/process-counts.ts';
import { connectionLimits, endStalledConnections, limitConnections } from './connections.ts';

async function open(limits: ReturnType<typeof connectionLimits>, trustProxy: readonly string[] = []) {
  const server = createServer((_request, response) => response.end('ok'));
  processCounts.refusedConnections = 0;
  limitConnections(server, trustProxy, limits);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    /** Returns the connection and whether a request on it is answered. */
    async ask(localAddress = '127.0.0.1') {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
      sockets.push(socket);
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const answered = await new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      });
      return { socket, answered };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each([
  [null, 500],
  [3, 167],
  [8, 100],
])('with %s workers each of them allows an address %i connections', (workers, perAddress) => {
  expect(connectionLimits(workers)).toEqual({ inAll: 8_000, perAddress });
});

test('connections of one address beyond its limit are refused and counted, others are not', async () => {
  await using place = await open({ inAll: 100, perAddress: 2 });
  const first = await place.ask();
  expect([first.answered, (await place.ask()).answered]).toEqual([true, true]);
  expect([(await place.ask()).answered, (await place.ask()).answered]).toEqual([false, false]);
  expect((await place.ask('127.0.0.2')).answered).toBe(true);
  expect(processCounts.refusedConnections).toBe(2);
  first.socket.destroy();
  await expect.poll(async () => (await place.ask()).answered).toBe(true);
});

test('connections beyond the limit in all are refused and counted', async () => {
  await using place = await open({ inAll: 2, perAddress: 100 });
  expect([(await place.ask()).answered, (await place.ask('127.0.0.2')).answered]).toEqual([true, true]);
  expect((await place.ask('127.0.0.3')).answered).toBe(false);
  expect(processCounts.refusedConnections).toBe(1);
});

test.each(['127.0.0.1', '127.0.0.0/24', '::ffff:127.0.0.1'])(
  'connections of the trusted proxy %s have no limit of their own',
  async (proxy) => {
    await using place = await open({ inAll: 4, perAddress: 1 }, ['10.0.0.0/8', 'fd00::/8', proxy]);
    const answered = [];
    for (let count = 0; count < 5; count += 1) answered.push((await place.ask()).answered);
    expect(answered).toEqual([true, true, true, true, false]);
  },
);

test('a client that stops reading gets a reset', async () => {
  const server = createServer((_request, response) => void response.end(Buffer.alloc(40_000_000)));
  endStalledConnections(server, 300);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'timeout');
  const end = once(client, 'end');
  client.resume();
  await expect(end).rejects.toMatchObject({ code: 'ECONNRESET' });
  server.close();
});
