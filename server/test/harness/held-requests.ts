import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request whose last byte has not been sent. */
interface HeldRequest {
  release(): void;
  /** Resolves with the status. */
  readonly status: Promise<number>;
}

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Without a length, as of a client that does not know how much it will send. */
  readonly isChunked?: boolean;
}

/** Sends all of a request but its last byte, and a response ends its connection. */
async function holdRequest(
  port: number,
  { method = 'POST', path, headers = {}, body, isChunked = false }: Asked,
): Promise<HeldRequest> {
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`;
  const sent = isChunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  const lines = Object.entries({ Host: `localhost:${port}`, Connection: 'close', ...headers });
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), framing].join(
    '\r\n',
  );
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${head}\r\n\r\n${sent.slice(0, -1)}`);
  return {
    release: () => void socket.write(sent.slice(-1)),
    status: text(socket).then((reply) => Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1])),
  };
}

/** Holds all of them, then sends all last bytes at once. Returns how often each status came. */
export async function releaseTogether(port: number, asked: readonly Asked[]): Promise<Record<number, number>> {
  const held = await Promise.all(asked.map((one) => holdRequest(port, one)));
  for (const one of held) one.release();
  const statuses = await Promise.all(held.map(({ status }) => status));
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
