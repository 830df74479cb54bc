/** Target of the delivery suite's requests: Node itself, or the front before it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startServer, type TestServer } from '../harness/start-server.ts';

export interface Front extends AsyncDisposable {
  readonly server: TestServer;
  /** Opens a new connection that is ready for writing. */
  readonly connect: () => Promise<Socket>;
  /** The Host header of requests for files. */
  readonly host: string;
}

export async function openNodeAlone(): Promise<Front> {
  const server = await startServer();
  return {
    server,
    connect: () => connectTo(server.port),
    host: `localhost:${server.port}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}
