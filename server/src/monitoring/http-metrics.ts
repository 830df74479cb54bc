/** Counts the responses of a process by the events that Node publishes. */
import { Histogram } from '@prometheus-io/client';
import { apiRoot, calls } from '@holdfast/contract/src/calls.ts';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isPrivatePort } from './private-port.ts';
import type { Metric } from './metrics.ts';

/** Message of Node when a request starts and when a response is finished. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

type Kind = 'upload' | 'call' | 'file' | 'page';

const uploadPaths: ReadonlySet<string> = new Set([calls.upload.path, ...calls.upload.aliases]);
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts until it is disposed, and not what the private port sends. */
export function countHttp(): Disposable & { readonly metrics: readonly Metric[]; readonly calls: Histogram } {
  const durations = new Histogram({
    name: 'holdfast_call_duration_seconds',
    help: 'Time from a call of the API to the end of its response, without uploads.',
    buckets,
    registers: [],
  });
  const responses = new Map<Kind, Map<number, number>>();
  const startedAt = new WeakMap<IncomingMessage, number>();
  const open = new Set<Socket>();
  let sentOnClosed = 0;
  const onStart = (message: unknown) => {
    const { request } = message as Exchange;
    if (kindOf(request) === 'call') startedAt.set(request, performance.now());
  };
  const onFinish = (message: unknown) => {
    const { request, response, server } = message as Exchange;
    if (isPrivatePort(server)) return;
    const kind = kindOf(request);
    const ofKind = responses.get(kind) ?? new Map<number, number>();
    responses.set(kind, ofKind.set(response.statusCode, (ofKind.get(response.statusCode) ?? 0) + 1));
    const start = startedAt.get(request);
    if (start !== undefined) durations.observe((performance.now() - start) / 1000);
  };
  const onAccepted = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket & { readonly server?: unknown } };
    if (socket.server instanceof Server && isPrivatePort(socket.server)) return;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      sentOnClosed += socket.bytesWritten;
    });
  };
  const channels = [
    ['http.server.request.start', onStart],
    ['http.server.response.finish', onFinish],
    ['net.server.socket', onAccepted],
  ] as const;
  for (const [name, listener] of channels) subscribe(name, listener);
  return {
    calls: durations,
    metrics: [
      [
        'responses_total',
        'Complete responses of this process.',
        () =>
          [...responses].flatMap(([kind, ofKind]) =>
            [...ofKind].map(([status, count]) => [{ kind, status: String(status) }, count] as const),
          ),
        'kind',
        'status',
      ],
      [
        'sent_bytes_total',
        'Bytes that this process has written to its clients.',
        () => [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, sentOnClosed),
      ],
    ],
    [Symbol.dispose]() {
      for (const [name, listener] of channels) unsubscribe(name, listener);
    },
  };
}

/** Uploads and files take as long as their clients need, so their times say little about the server. */
function kindOf({ url = '' }: IncomingMessage): Kind {
  if (url.startsWith(fileRoot)) return 'file';
  if (!url.startsWith(`${apiRoot}/`)) return 'page';
  return uploadPaths.has(url.replace(/\?.*$/s, '')) ? 'upload' : 'call';
}
