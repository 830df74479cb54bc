import Fastify from 'fastify';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { limitProxiedRequests } from './limit-proxied-requests.ts';

/** An app that answers `/` and holds every other request, and allows two in progress for each address. */
async function open() {
  const app = Fastify({ trustProxy: ['127.0.0.1'], forceCloseConnections: true });
  limitProxiedRequests(app, 2);
  app.get('/', async () => 'ok');
  app.get('/held', (_request, reply) => void reply.hijack());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const send = (socket: Socket, path: string, client: string) =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${client && `X-Forwarded-For: ${client}\r\n`}\r\n`);
  return {
    /** Sends requests on one connection that are not answered. */
    hold(client: string, count = 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      for (let sent = 0; sent < count; sent += 1) send(socket, '/held', client);
      return socket;
    },
    async statusFor(client: string) {
      const headers: Record<string, string> = client === '' ? {} : { 'X-Forwarded-For': client };
      return (await fetch(`http://127.0.0.1:${port}/`, { headers })).status;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

test('requests in progress of one address behind a proxy are limited, and others are not', async () => {
  await using place = await open();
  const held = [place.hold('203.0.113.7'), place.hold('203.0.113.7')];
  await expect.poll(() => place.statusFor('203.0.113.7')).toBe(429);
  expect(await place.statusFor('203.0.113.8')).toBe(200);
  held[0]?.destroy();
  await expect.poll(() => place.statusFor('203.0.113.7')).toBe(200);
  expect(await place.statusFor('203.0.113.7')).toBe(200);
});

test('addresses of one IPv6 network count together', async () => {
  await using place = await open();
  place.hold('2001:db8::1');
  place.hold('2001:db8::2');
  await expect.poll(() => place.statusFor('2001:db8::3')).toBe(429);
  expect(await place.statusFor('2001:db8:0:1::3')).toBe(200);
});

test('pipelined requests end with their connection', async () => {
  await using place = await open();
  for (let round = 0; round < 3; round += 1) {
    const socket = place.hold('203.0.113.7', 2);
    await expect.poll(() => place.statusFor('203.0.113.7')).toBe(429);
    socket.destroy();
    await expect.poll(() => place.statusFor('203.0.113.7')).toBe(200);
  }
});

test("the proxy's own requests have no limit", async () => {
  await using place = await open();
  for (let count = 0; count < 3; count += 1) place.hold('');
  place.hold('203.0.113.7', 2);
  await expect.poll(() => place.statusFor('203.0.113.7')).toBe(429);
  expect(await place.statusFor('')).toBe(200);
});
