/**
 * A proxy in front of a site that simulates faults of proxies, and connections. It returns 502 in HTML while
 * the server is away, as nginx does. On demand it loses responses, stalls and cuts connections.
 */
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Site } from './site.ts';

export type Fault =
  /** The server receives the whole request, acts and responds; the connection closes before the response arrives. */
  | { readonly kind: 'lost answer' }
  /** After this number of body bytes nothing passes in either direction, and the connection stays open. */
  | { readonly kind: 'stall'; readonly afterBytes: number }
  /** The request or its response waits here, as on a long line. */
  | { readonly kind: 'late request' | 'late response'; readonly until: Promise<void> }
  /** After this number of body bytes the connection breaks. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The proxy itself responds, in HTML. */
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter?: number };

export interface Relay extends AsyncDisposable {
  readonly url: string;
  /** From now on calls `next` for each request to a path or below it. It returns the fault for the request, if any. */
  spoil(path: string, next: (request: IncomingMessage) => Fault | undefined): void;
  /** From now on every request passes. Those that have stalled remain stalled. */
  mend(): void;
  /** The number of requests to a path so far. */
  requestsTo(path: string): number;
  /** The number of stalled requests so far. */
  readonly stalled: number;
}

export async function openRelay(site: Pick<Site, 'url'>): Promise<Relay> {
  const spoiled = new Map<string, Parameters<Relay['spoil']>[1]>();
  const seen: string[] = [];
  let stalled = 0;
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', site.url);
    seen.push(address.pathname);
    const [, next] = [...spoiled].find(([path]) => `${address.pathname}/`.startsWith(`${path}/`)) ?? [];
    const fault = next?.(request);
    const onStall = () => void (stalled += 1);
    pass({ address, request, response, fault, onStall }).catch(() => request.socket.destroy());
  });
  // A body may stall for any length of time.
  server.requestTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { protocol, hostname } = new URL(site.url);
  return {
    url: `${protocol}//${hostname}:${(server.address() as AddressInfo).port}`,
    spoil: (path, next) => void spoiled.set(path, next),
    mend: () => spoiled.clear(),
    requestsTo: (path) => seen.filter((each) => each === path).length,
    get stalled() {
      return stalled;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Returns the same fault `count` times, and then none. */
export function times(count: number, fault: Fault): () => Fault | undefined {
  let left = count;
  return () => {
    left -= 1;
    return left >= 0 ? fault : undefined;
  };
}

interface Exchange {
  readonly address: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly fault: Fault | undefined;
  readonly onStall: () => void;
}

const html = { 'Content-Type': 'text/html' };

async function pass({ address, request, response, fault, onStall }: Exchange): Promise<void> {
  if (fault?.kind === 'answer') {
    await text(request);
    const wait = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter };
    return void response.writeHead(fault.status, { ...html, ...wait }).end(`<h1>${fault.status}</h1>nginx`);
  }
  if (fault?.kind === 'late request') await fault.until;
  const forwarded = ask(address, {
    method: request.method,
    // A separate connection, as nginx opens one, and uncompressed text so that the relay can read it.
    headers: { ...request.headers, 'accept-encoding': 'identity', connection: 'close' },
    agent: false,
  });
  forwarded.on('error', () => {});
  response.once('close', () => forwarded.destroy());
  try {
    const answered = once(forwarded, 'response') as Promise<[IncomingMessage]>;
    if (fault?.kind === 'stall' || fault?.kind === 'cut') {
      answered.catch(() => {});
      await sendPart(request, forwarded, fault.afterBytes);
      return fault.kind === 'cut' ? void request.socket.destroy() : onStall();
    }
    // A refusal may arrive before the whole body is sent, and end the connection.
    pipeline(request, forwarded).catch(() => {});
    const [answer] = await answered;
    if (fault?.kind === 'late response') await fault.until;
    if (fault?.kind !== 'lost answer') return await giveBack(answer, response);
    await text(answer);
    request.socket.destroy();
  } catch (error) {
    if (response.headersSent) throw error;
    response.writeHead(502, html).end('<h1>502 Bad Gateway</h1>nginx');
  }
  return undefined;
}

async function sendPart(from: IncomingMessage, to: NodeJS.WritableStream, bytes: number): Promise<void> {
  let left = bytes;
  for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    to.write(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) return;
  }
}

function giveBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { connection: _, 'transfer-encoding': __, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
  return pipeline(answer, response);
}
