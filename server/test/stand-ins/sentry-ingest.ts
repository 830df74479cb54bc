import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setInterval } from 'node:timers/promises';

export type IngestTrouble = 'overloaded' | 'dropped' | 'silent' | 'moved';

export interface IngestStandIn extends AsyncDisposable {
  readonly dsn: string;
  readonly origin: string;
  /** All requests received, unparsed. */
  readonly received: readonly string[];
  /** Returns the parsed items of `type`. */
  itemsOf(type: string): Record<string, unknown>[];
  /** Resolves when this number of requests has arrived, whatever their types. */
  hasReceived(count: number): Promise<void>;
  /** Injects this fault into every request from now on. */
  suffer(trouble: IngestTrouble): void;
}

/** The ingest endpoint for reports, on loopback: it accepts envelopes and keeps them. */
export async function startIngest(): Promise<IngestStandIn> {
  const received: string[] = [];
  let trouble: IngestTrouble | undefined;
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    if (trouble) fail(response, trouble);
    else answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    dsn: `http://thepublickey@${host}/42`,
    origin: `http://${host}`,
    received,
    itemsOf: (type) => received.flatMap((envelope) => readItems(envelope, type)),
    async hasReceived(count) {
      for await (const _ of setInterval(10, undefined, { signal: AbortSignal.timeout(10_000) }))
        if (received.length >= count) return;
    },
    suffer: (next) => void (trouble = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const right = method === 'POST' && /^\/api\/42\/envelope\/\?.*sentry_key=thepublickey/.test(url);
  response.writeHead(right ? 200 : 404, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' });
  response.end('{}');
}

function fail(response: ServerResponse, trouble: IngestTrouble): void {
  if (trouble === 'overloaded') response.writeHead(503).end();
  if (trouble === 'dropped') response.destroy();
  // 307 repeats the request with its body.
  if (trouble === 'moved') response.writeHead(307, { Location: '/elsewhere' }).end();
}

/** An envelope is a header line, followed by a header line and a line of JSON for each item. */
function readItems(envelope: string, type: string): Record<string, unknown>[] {
  const lines = envelope.split('\n');
  return lines.flatMap((line, at) =>
    at > 0 && line.startsWith(`{"type":"${type}"`) ? [JSON.parse(lines[at + 1] ?? '') as Record<string, unknown>] : [],
  );
}
