import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** `gone` refuses and cuts, `hung` accepts and says nothing, `slow` holds each piece of a reply for half a second. */
export type LineState = 'well' | 'gone' | 'hung' | 'slow';

export interface FaultyLine extends AsyncDisposable {
  readonly port: number;
  set(state: LineState): Promise<void>;
}

const slowMs = 500;

/** A line on loopback to a dependency, whose states look to the server like those of the dependency. */
export async function openFaultyLine(targetPort: number): Promise<FaultyLine> {
  const now = { state: 'well' as LineState };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    const pass = (from: Socket, to: Socket, isReply: boolean) =>
      from.on('data', async (piece: Buffer) => {
        from.pause();
        if (isReply && now.state === 'slow') await delay(slowMs);
        while (now.state === 'hung' && !from.destroyed) await delay(50);
        if (!to.destroyed) to.write(piece);
        from.resume();
      });
    pass(client, upstream, false);
    pass(upstream, client, true);
  });
  const listen = async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return (server.address() as { port: number }).port;
  };
  const port = await listen(0);
  const end = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    async set(next) {
      if (next === now.state) return;
      const before = now.state;
      now.state = next;
      if (next === 'gone') await end();
      else if (before === 'gone') await listen(port);
    },
    async [Symbol.asyncDispose]() {
      if (now.state !== 'gone') await end();
    },
  };
}
