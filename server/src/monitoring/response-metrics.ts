/** Counts the responses of this process and how long calls take, without a line in the code that responds. */
import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import { apiRoot, calls } from '@holdfast/contract/src/calls.ts';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isPrivatePort } from '../http/private-port.ts';

/** What Node publishes on both channels. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

const [started, finished] = ['http.server.request.start', 'http.server.response.finish'];
const uploadPaths: ReadonlySet<string> = new Set([calls.upload.path, ...calls.upload.aliases]);
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface ResponseMetrics extends Disposable {
  /** Brings the counter up to date, which would take too long for each small download. */
  readonly update: () => void;
}

/** Adds the metrics of responses to `register` until it is disposed. Responses on the private port do not count. */
export function countResponses(register: Registry): ResponseMetrics {
  const registers = [register];
  const responses = new Counter({
    name: 'holdfast_responses_total',
    help: 'Complete responses of this process.',
    labelNames: ['kind', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'holdfast_call_duration_seconds',
    help: 'Time from a call of the API to the end of its response, without uploads.',
    buckets,
    registers,
  });
  const counts: Counts = { upload: new Map(), call: new Map(), file: new Map(), page: new Map() };
  const startedAt = new WeakMap<IncomingMessage, number>();
  const onStart = (message: unknown) => {
    const { request } = message as Exchange;
    if (kindOf(request) === 'call') startedAt.set(request, performance.now());
  };
  const onFinish = (message: unknown) => {
    const { request, response, server } = message as Exchange;
    if (isPrivatePort(server)) return;
    const ofKind = counts[kindOf(request)];
    ofKind.set(response.statusCode, (ofKind.get(response.statusCode) ?? 0) + 1);
    const start = startedAt.get(request);
    if (start !== undefined) durations.observe((performance.now() - start) / 1000);
  };
  subscribe(started, onStart);
  subscribe(finished, onFinish);
  return {
    update() {
      responses.reset();
      for (const [kind, ofKind] of Object.entries(counts))
        for (const [status, count] of ofKind) responses.inc({ kind, status: String(status) }, count);
    },
    [Symbol.dispose]() {
      unsubscribe(started, onStart);
      unsubscribe(finished, onFinish);
    },
  };
}

type Kind = 'upload' | 'call' | 'file' | 'page';
/** Number of responses with each status. */
type Counts = Readonly<Record<Kind, Map<number, number>>>;

/** Uploads and files take as long as their clients need, so their times say little about the server. */
function kindOf({ url = '' }: IncomingMessage): Kind {
  if (url.startsWith(fileRoot)) return 'file';
  if (!url.startsWith(`${apiRoot}/`)) return 'page';
  return uploadPaths.has(url.replace(/\?.*$/s, '')) ? 'upload' : 'call';
}
