import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Milliseconds; 30 seconds if not set. */
  readonly timeout?: number;
}

export interface Requests extends Disposable {
  /** Rejects when the connection is refused, cut or silent until the timeout. */
  send(ask: Ask): Promise<Reply>;
}

/** Sends requests over kept connections, each from an address of its own. */
export function openRequests(port: number): Requests {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return {
    send: ({ method = 'GET', path, headers = {}, body, timeout = 30_000 }) =>
      new Promise((resolve, reject) => {
        const request = httpRequest({
          host: '127.0.0.1',
          port,
          method,
          path,
          agent,
          headers: {
            'X-Forwarded-For': newAddress(),
            ...(body && { 'Content-Length': String(body.length) }),
            ...headers,
          },
        });
        let received = 'no response';
        const timer = setTimeout(
          () => request.destroy(new Error(`${received} in ${timeout} ms, for ${method} ${path}`)),
          timeout,
        );
        request.once('close', () => clearTimeout(timer));
        request.once('error', reject);
        request.once('response', (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            received = `only ${chunks.length} pieces of ${answer.headers['content-length']} bytes`;
          });
          answer.once('error', reject);
          answer.once('end', () => {
            const { statusCode: status = 0, headers: found } = answer;
            resolve({ status, headers: found, body: Buffer.concat(chunks) });
          });
        });
        request.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

const byte = () => Math.floor(Math.random() * 254) + 1;
const newAddress = (): string => `10.${byte()}.${byte()}.${byte()}`;
