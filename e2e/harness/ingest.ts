/** A loopback server that receives the error reports of these tests and keeps them unchanged. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Ingest extends AsyncDisposable {
  readonly dsn: string;
  readonly received: readonly string[];
  /** All items sent as `type`, parsed. */
  itemsOf(type: string): Record<string, unknown>[];
  /** All session recordings, each a list of events. */
  recordings(): unknown[];
}

export async function startIngest(): Promise<Ingest> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    // The browser sends a preflight first, because the tests add a header to its requests.
    if (request.method !== 'OPTIONS') received.push(await text(request));
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    dsn: `http://thepublickey@127.0.0.1:${(server.address() as AddressInfo).port}/42`,
    received,
    itemsOf: (type) => received.flatMap((envelope) => readItems(envelope, type)),
    recordings: () =>
      received
        .filter((envelope) => envelope.includes('{"type":"replay_recording"'))
        .map((envelope) => JSON.parse(envelope.trimEnd().split('\n').at(-1) ?? '') as unknown),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** An envelope is a header line, followed by a header line and a line of JSON for each item. */
function readItems(envelope: string, type: string): Record<string, unknown>[] {
  const lines = envelope.split('\n');
  return lines.flatMap((line, at) =>
    at > 0 && line.startsWith('{') && (JSON.parse(line) as { type?: unknown }).type === type
      ? [JSON.parse(lines[at + 1] ?? '') as Record<string, unknown>]
      : [],
  );
}
