import { Agent, request as httpRequest } from 'node:http';
import type { TestServer } from './start-server.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** True if the request used a connection that had carried one before. */
  readonly reused: boolean;
}

export interface Line {
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<RawAnswer>;
  [Symbol.dispose](): void;
}

/** One keep-alive connection, for requests that `fetch` cannot send and details that it does not expose. */
export function openLine(server: Pick<TestServer, 'port'>): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (method, path, headers = {}, body) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
        const request = httpRequest({
          host: '127.0.0.1',
          port: server.port,
          method,
          path,
          headers: { ...length, ...headers },
          agent,
        });
        request.once('error', reject);
        request.once('response', (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          answer
            .once('error', reject)
            .once('end', () =>
              resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, reused: request.reusedSocket }),
            );
        });
        request.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
