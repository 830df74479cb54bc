import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Fault of a connection after this number of bytes from the server: it is cut, or it stays open and goes silent. */
export interface Break {
  readonly afterBytes: number;
  readonly how: 'cut' | 'stall';
}

export interface Relay extends AsyncDisposable {
  readonly port: number;
  connections(): number;
  /** Resolves when every connection that was planned to stall has done so. */
  readonly stalled: Promise<void>;
}

/**
 * A bad network on loopback: each new connection suffers the next of `breaks`, and those after the last suffer none. A
 * client may use it as the server, or as a proxy by CONNECT, which does not change its TLS and its names.
 */
export async function startRelay(targetPort: number, breaks: readonly Break[]): Promise<Relay> {
  const sockets = new Set<Socket>();
  const stalled = Promise.withResolvers<void>();
  let connections = 0;
  let stallsLeft = breaks.filter(({ how }) => how === 'stall').length;
  const server = createServer(async (client) => {
    const planned = breaks[connections];
    connections += 1;
    const upstream = connect(targetPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', () => {}));
      socket.once('close', () => void (client.destroySoon(), upstream.destroy()));
    }
    await passRequests(client, upstream);
    let left = planned?.afterBytes ?? Infinity;
    upstream.on('data', (chunk: Buffer) => {
      const passed = chunk.subarray(0, left);
      left -= passed.length;
      if (!client.write(passed)) {
        upstream.pause();
        client.once('drain', () => upstream.resume());
      }
      if (left > 0) return;
      upstream.pause().removeAllListeners('data');
      if (planned?.how === 'cut') client.destroySoon();
      else if ((stallsLeft -= 1) === 0) stalled.resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    connections: () => connections,
    stalled: stalled.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** Forwards the client's bytes, after responding to its CONNECT if it sends one. */
async function passRequests(client: Socket, upstream: Socket): Promise<void> {
  const [first] = (await once(client, 'data').catch(() => [])) as [Buffer?];
  if (first === undefined) return;
  if (first.toString('latin1').startsWith('CONNECT ')) client.write('HTTP/1.1 200 Connected\r\n\r\n');
  else upstream.write(first);
  client.pipe(upstream);
}
