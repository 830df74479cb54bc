import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestServer } from './start-server.ts';

export interface Replayed {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends the bytes of a request on a connection of its own, as another program has sent them. With `Expect: 100-continue`
 * the body follows when it is invited. The connection stays open like that of the program, so the length of the response
 * tells where it ends.
 */
export async function replay(
  { port }: TestServer,
  head: readonly string[],
  body: Buffer | string = '',
): Promise<Replayed> {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  const more = async () => {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
  };
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (head.includes('Expect: 100-continue')) {
    while (!received.includes('\r\n\r\n')) await more();
    if (received.toString('latin1') !== 'HTTP/1.1 100 Continue\r\n\r\n') throw new Error('the body was not invited');
    received = Buffer.alloc(0);
  }
  socket.write(body);
  while (!received.includes('\r\n\r\n')) await more();
  const end = received.indexOf('\r\n\r\n');
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const start = end + 4;
  while (received.length < start + Number(headers['content-length'] ?? 0)) await more();
  socket.destroy();
  return { status: Number(first.split(' ')[1]), headers, body: received.subarray(start) };
}
