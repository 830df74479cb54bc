import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { apiRoot, calls } from '@holdfast/contract/src/calls.ts';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
type Value = number | Samples | undefined;

/** The name is without `holdfast_`; that of a counter ends in `_total`. `read` returns nothing while it is unknown. */
export type Metric = readonly [name: string, help: string, read: () => Value | Promise<Value>, ...labels: string[]];

/** Counts the responses of this process, without those of servers that `isPrivate`, until it is disposed. */
export function openMetricsPage(
  metrics: readonly Metric[],
  labels: Readonly<Record<string, string>>,
  isPrivate: (server: unknown) => boolean,
) {
  const register = new Registry();
  register.setDefaultLabels(labels);
  collectDefaultMetrics({ register });
  const http = countHttp(register, isPrivate);
  for (const metric of [...metrics, ...http.metrics]) addMetric(register, metric);
  return {
    read: async () => ({ status: 200, type: register.contentType, body: await register.metrics() }),
    [Symbol.dispose]: http[Symbol.dispose],
  };
}

function addMetric(register: Registry, [name, help, read, ...labelNames]: Metric): void {
  const options = { name: `holdfast_${name}`, help, labelNames, registers: [register] };
  const metric = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
  Object.assign(metric, {
    async collect() {
      const value = await read();
      metric.reset();
      for (const [labels, each] of typeof value === 'number' ? [[{}, value] as const] : (value ?? []))
        metric.inc(labels, each);
    },
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

function countHttp(register: Registry, isPrivate: (server: unknown) => boolean) {
  const durations = new Histogram({
    name: 'holdfast_call_duration_seconds',
    help: 'Time from a call of the API to the end of its response, without uploads.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  });
  const responses = new Map<string, number>();
  const startedAt = new WeakMap<IncomingMessage, number>();
  const open = new Set<Socket>();
  let sentOnClosed = 0;
  const onStart = ({ request }: Exchange) => {
    if (kindOf(request) === 'call') startedAt.set(request, performance.now());
  };
  const onFinish = ({ request, response, server }: Exchange) => {
    if (isPrivate(server)) return;
    const key = `${kindOf(request)} ${response.statusCode}`;
    responses.set(key, (responses.get(key) ?? 0) + 1);
    const start = startedAt.get(request);
    if (start !== undefined) durations.observe((performance.now() - start) / 1000);
  };
  const onAccepted = ({ socket }: { readonly socket: Socket & { readonly server?: unknown } }) => {
    if (isPrivate(socket.server)) return;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      sentOnClosed += socket.bytesWritten;
    });
  };
  const channels = Object.entries({
    'http.server.request.start': onStart,
    'http.server.response.finish': onFinish,
    'net.server.socket': onAccepted,
  }) as [string, (message: unknown) => void][];
  for (const [name, listener] of channels) subscribe(name, listener);
  const responsesOf = ([key, count]: readonly [string, number]) => {
    const [kind = '', status = ''] = key.split(' ');
    return [{ kind, status }, count] as const;
  };
  const sentBytes = () => [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, sentOnClosed);
  const metrics: readonly Metric[] = [
    ['responses_total', 'Complete responses of this process.', () => [...responses].map(responsesOf), 'kind', 'status'],
    ['sent_bytes_total', 'Bytes that this process has written to its clients.', sentBytes],
  ];
  return {
    metrics,
    [Symbol.dispose]() {
      for (const [name, listener] of channels) unsubscribe(name, listener);
    },
  };
}

const uploadPaths: ReadonlySet<string> = new Set([calls.upload.path, ...calls.upload.aliases]);

/** Uploads and files take as long as their clients need, so their times say little about the server. */
function kindOf({ url = '' }: IncomingMessage): 'upload' | 'call' | 'file' | 'page' {
  if (url.startsWith(fileRoot)) return 'file';
  if (!url.startsWith(`${apiRoot}/`)) return 'page';
  return uploadPaths.has(url.replace(/\?.*$/s, '')) ? 'upload' : 'call';
}
