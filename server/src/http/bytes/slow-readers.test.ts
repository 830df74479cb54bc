import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { endSlowReaders, type ReadingLimits } from './slow-readers.ts';

const patient: ReadingLimits = { stallMs: 600, paceMs: 3_600_000, bytesPerSecond: 0 };

async function listen(limits: ReadingLimits, respond: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => respond(response));
  endSlowReaders(server, limits);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    connect: () => connect(port, '127.0.0.1'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ask = (socket: Socket, more = '') => socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${more}\r\n`);
const megabytes = (count: number) => Buffer.alloc(count * 1_000_000, 7);

/** Resolves with the error that a connection ends with, or null if it ends in order. */
const endOf = (socket: Socket) =>
  new Promise<NodeJS.ErrnoException | null>((resolve) => {
    socket.once('error', resolve).once('end', () => resolve(null));
  });

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

/** Connections of the port that the kernel still keeps after this process has closed them with bytes unsent. */
function orphansOf(port: number): number {
  const [, ...lines] = readFileSync('/proc/net/tcp', 'latin1').trim().split('\n');
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.filter(
    ([, here, , , queues, , , , , inode]) => here?.endsWith(local) && inode === '0' && !queues?.startsWith('00000000:'),
  ).length;
}

const onLinux = process.platform === 'linux';

test('a client that reads some megabytes and then stops gets a reset, not the rest', async () => {
  await using server = await listen(patient, (response) => void response.end(megabytes(40)));
  const socket = server.connect();
  let received = 0;
  let stopped = false;
  ask(socket);
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received < 8_000_000 || stopped) return;
      stopped = true;
      socket.pause();
      resolve();
    });
  });
  await expect.poll(() => connectionsOf(server.server)).toBe(0);
  if (onLinux) expect(orphansOf(server.port)).toBe(0);
  const end = endOf(socket);
  socket.resume();
  expect((await end)?.code).toBe('ECONNRESET');
  expect(received).toBeLessThan(40_000_000);
});

test('a response that the kernel has taken whole keeps its connection until the client has it', async () => {
  await using server = await listen({ ...patient, stallMs: 1_500 }, (response) => void response.end(megabytes(2)));
  const stopped = server.connect().pause();
  const reading = server.connect();
  for (const socket of [stopped, reading]) ask(socket, 'Connection: close\r\n');
  const chunks: Buffer[] = [];
  reading.on('data', (chunk) => chunks.push(chunk));
  expect(await endOf(reading)).toBe(null);
  const all = Buffer.concat(chunks);
  expect(all.length - all.indexOf('\r\n\r\n') - 4).toBe(2_000_000);
  await expect.poll(() => connectionsOf(server.server)).toBe(1);
  await expect.poll(() => connectionsOf(server.server)).toBe(0);
  if (onLinux) expect(orphansOf(server.port)).toBe(0);
  const end = endOf(stopped);
  stopped.resume();
  expect((await end)?.code).toBe('ECONNRESET');
});

test('a client that takes a little now and then is ended by the slowest pace that is allowed', async () => {
  const limits = { stallMs: 1_200, paceMs: 2_000, bytesPerSecond: 20_000_000 };
  await using server = await listen(limits, (response) => void response.end(megabytes(60)));
  const socket = server.connect();
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  });
  const end = endOf(socket);
  ask(socket);
  expect((await end)?.code).toBe('ECONNRESET');
  expect(received).toBeGreaterThan(1_000_000);
});

test('a pause of the server itself ends nobody', async () => {
  const limits = { stallMs: 200, paceMs: 300, bytesPerSecond: 1_000_000 };
  await using server = await listen(limits, (response) => {
    response.write('a');
    setTimeout(() => response.end('b'), 1_000);
  });
  const socket = server.connect();
  ask(socket);
  let received = '';
  while (!received.endsWith('\r\n0\r\n\r\n')) received += String((await once(socket, 'data'))[0]);
  socket.destroy();
});

test('a client that keeps its side open after the last response is disconnected', async () => {
  await using server = await listen(patient, (response) => void response.end('a'));
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }).resume();
  ask(socket, 'Connection: close\r\n');
  await once(socket, 'end');
  await expect.poll(() => connectionsOf(server.server)).toBe(0);
  socket.destroy();
});
