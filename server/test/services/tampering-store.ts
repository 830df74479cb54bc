import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What happens to a request: it is passed on, has no response, its response is cut after some bytes, or another one is sent. */
export type Treatment =
  | 'pass'
  | 'hang'
  | { readonly cutAfter: number }
  | { readonly status: number; readonly body: string; readonly range?: string | undefined }
  | { readonly delayMs: number };

export interface TamperingStore extends AsyncDisposable {
  readonly endpoint: string;
  /** Every request, as `METHOD path?query`. */
  readonly asked: string[];
  /** Decides on each request from now on. */
  treat(treatment: (asked: string, request: IncomingMessage) => Treatment): void;
}

/** A real S3 store behind a loopback proxy that fails as told. The signature covers the host, which the proxy keeps. */
export async function startTamperingStore(target: string): Promise<TamperingStore> {
  const asked: string[] = [];
  let decide: (asked: string, request: IncomingMessage) => Treatment = () => 'pass';
  const { port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`;
    asked.push(line);
    const treatment = decide(line, incoming);
    if (treatment === 'hang') incoming.resume();
    else if (treatment === 'pass') pass(incoming, outgoing);
    else if ('cutAfter' in treatment) pass(incoming, outgoing, treatment.cutAfter);
    else if ('delayMs' in treatment) setTimeout(() => pass(incoming, outgoing), treatment.delayMs);
    else {
      const { status, body, range } = treatment;
      const headers = range === undefined ? {} : { 'Content-Range': range };
      incoming.resume().once('end', () => outgoing.writeHead(status, headers).end(body));
    }
  });

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, cutAfter = Infinity): void {
    const { method, url: path, headers } = incoming;
    const upstream = request({ host: '127.0.0.1', port, method, path, headers, setHost: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      let left = cutAfter;
      response.on('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) outgoing.destroy();
      });
      response.on('end', () => outgoing.end());
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    treat: (treatment) => void (decide = treatment),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
