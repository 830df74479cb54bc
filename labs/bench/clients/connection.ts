/** HTTP on a bare socket, with the least work for each request: a client on the same cores slows the server down. */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: Buffer;
}

export interface Connection extends Disposable {
  /** Returns false once either side has closed it: a server closes connections that were idle for a while. */
  readonly isOpen: () => boolean;
  /** Sends one complete request; the next one may follow only after its response. */
  readonly send: (request: Buffer) => Promise<Answer>;
}

const endOfHead = '\r\n\r\n';

/** Opens a connection that stays open between requests. Each response must state its length. */
export async function openConnection({ hostname, port }: URL): Promise<Connection> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let pending: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;
  let received = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const answer = parse(received);
    if (answer === null) return;
    received = Buffer.alloc(0);
    pending?.resolve(answer);
    pending = null;
  });
  socket.on('error', (error) => pending?.reject(error));
  socket.on('close', () => pending?.reject(new Error('a connection was closed before the response')));
  return {
    isOpen: () => socket.readyState === 'open',
    send(request) {
      return new Promise((resolve, reject) => {
        pending = { resolve, reject };
        socket.write(request);
      });
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Returns null while the response is incomplete. */
function parse(bytes: Buffer): Answer | null {
  const headEnd = bytes.indexOf(endOfHead);
  if (headEnd === -1) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = Number(headerOf(head, 'content-length'));
  if (Number.isNaN(length)) throw new Error(`a response states no length: ${head}`);
  const body = bytes.subarray(headEnd + endOfHead.length);
  return body.length < length ? null : { status: Number(head.slice(9, 12)), head, body };
}

export function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim();
}
