/** Where the delivery suite sends its requests: straight to Node, or to whatever stands in front of it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startServer, type TestServer } from '../harness/start-server.ts';

export interface Front extends AsyncDisposable {
  readonly server: TestServer;
  /** A fresh connection that is ready to be written to. */
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
