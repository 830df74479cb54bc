import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { drain, prepareShutdown } from './shutdown.ts';

const longMs = 600_000;

async function listen(answer: RequestListener = (_request, response) => void response.end('kelp')): Promise<Server> {
  const server = createServer(answer);
  prepareShutdown(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

const portOf = (server: Server) => (server.address() as { port: number }).port;

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a request, and returns the response's headers and body. */
async function call(socket: Socket): Promise<string> {
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi');
  let read = '';
  while (!read.endsWith('kelp')) read += String((await once(socket, 'data'))[0]);
  return read;
}

async function isRefused(port: number): Promise<boolean> {
  const socket = open(port);
  return Promise.race([once(socket, 'connect').then(() => false), once(socket, 'close').then(() => true)]).catch(
    () => true,
  );
}

test('a call that arrives on an open connection of a draining server is answered, and told to go elsewhere', async () => {
  const server = await listen();
  const port = portOf(server);
  const [used, unused] = [open(port), open(port)];
  expect(await call(used)).toContain('Connection: keep-alive');
  await expect.poll(() => unused.readyState).toBe('open');
  const drained = drain(server, () => longMs);
  await expect.poll(() => isRefused(port)).toBe(true);
  for (const socket of [used, unused]) {
    expect(await call(socket)).toContain('Connection: close');
    await once(socket, 'close');
  }
  await drained;
});

test('connections that the system has accepted when the drain begins are answered', async () => {
  const server = await listen();
  const sockets = Array.from({ length: 40 }, () => open(portOf(server)));
  // They are sent now, and nothing else happens before the drain.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const drained = drain(server, () => longMs);
  const answers = await Promise.all(sockets.map(call));
  expect(answers.filter((answer) => answer.includes('200 OK'))).toHaveLength(40);
  await drained;
});

test('a response that was under way may be followed by another call', async () => {
  const pending: ServerResponse[] = [];
  const server = await listen((_request, response) => {
    if (pending.push(response) === 1) response.writeHead(200, { 'Content-Length': 10 }).write('begun ');
    else response.end('kelp');
  });
  const [socket, idleSocket] = [open(portOf(server)), open(portOf(server))];
  const first = call(socket);
  await expect.poll(() => pending.length).toBe(1);
  const idle = { ms: 0 };
  const drained = drain(server, () => idle.ms);
  await once(idleSocket, 'close');
  idle.ms = longMs;
  pending[0]?.end('kelp');
  expect(await first).toContain('Connection: keep-alive');
  expect(await call(socket)).toContain('Connection: close');
  await drained;
});
