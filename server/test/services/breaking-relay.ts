import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A connection is cut after this number of bytes from the server. */
export interface Break {
  readonly afterBytes: number;
}

export interface Relay extends AsyncDisposable {
  readonly port: number;
  connections(): number;
}

/**
 * A bad network on loopback: each new connection suffers the next of `breaks`, and those after the last suffer none. A
 * client may use it as the server, or as a proxy by CONNECT, which does not change its TLS and its names.
 */
export async function startRelay(
  targetPort: number,
  breaks: readonly Break[],
  /** Gets the bytes of the clients before they are passed on, and may change them. */
  onSent: (bytes: Buffer) => void = () => {},
): Promise<Relay> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(async (client) => {
    const planned = breaks[connections];
    connections += 1;
    const upstream = connect(targetPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', () => {}));
      socket.once('close', () => void (client.destroySoon(), upstream.destroy()));
    }
    client.on('data', onSent);
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
      client.destroySoon();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    connections: () => connections,
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
