import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { drain, prepareShutdown } from '../http/shutdown.ts';

export interface PrivatePage {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export type PrivatePages = Readonly<Record<string, () => Promise<PrivatePage>>>;

export interface PrivatePort extends AsyncDisposable {
  readonly url: string;
  drain(idleMs: () => number): Promise<void>;
}
const privateServers = new WeakSet<Server>();

export const isPrivatePort = (server: Server): boolean => privateServers.has(server);

/**
 * Serves pages for the operator apart from the public. A site that an operator visits could point its own name here and
 * read them in the operator's browser, so other names are refused.
 */
export async function openPrivatePort(
  pages: PrivatePages,
  { host, port }: { readonly host: string; readonly port: number },
  log: Pick<Logger, 'error'>,
): Promise<PrivatePort> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    if (!isOurs(request.headers.host, host))
      return send(response, { status: 421, type: plain, body: 'Unknown Host header\n' }, request.method === 'HEAD');
    const page = pages[(request.url ?? '').replace(/\?.*$/s, '')];
    const answer = (given: PrivatePage) => send(response, given, request.method === 'HEAD');
    if (!page) return answer({ status: 404, type: plain, body: 'Not found\n' });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer({ status: 405, type: plain, body: 'Only GET is allowed\n' });
    page().then(answer, (error: unknown) => {
      log.error({ err: error, path: request.url }, 'a request to the private port failed');
      answer({ status: 500, type: plain, body: 'It failed; see the log\n' });
    });
  });
  prepareShutdown(server);
  privateServers.add(server);
  await listen(server, host, port);
  const address = server.address();
  const chosen = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    drain: (idleMs) => drain(server, idleMs),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isOurs(given = '', host: string): boolean {
  const named = URL.canParse(`http://${given}`) ? new URL(`http://${given}`).hostname : '';
  return named === 'localhost' || named === host.toLowerCase() || isIP(named.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

export const plain = 'text/plain; charset=utf-8';

function send(response: ServerResponse, { status, type, body }: PrivatePage, headOnly: boolean): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(headOnly ? undefined : body);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
