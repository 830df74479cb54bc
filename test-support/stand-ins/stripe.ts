import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, systemClock } from '@holdfast/server/src/lib/clock.ts';
import { answerApi, type ApiAnswer, refuse } from './stripe-api.ts';
import { answerPage } from './stripe-pages.ts';
import { createStandInState, type StandInEvent, standInPrices, type StandInState } from './stripe-state.ts';

/** Fault injected into one call: a wrong response, no response, or a late one. */
export type StripeTrouble =
  | 401
  | 402
  | 404
  | 429
  | 500
  | 'dropped'
  | 'moved'
  /** The call takes effect, but its response is lost. */
  | 'done and dropped'
  | 'silent'
  | 'not JSON'
  | 'cut short'
  | { readonly lateMs: number }
  /** The response contains the state from now, but is sent when the promise resolves. */
  | { readonly answeredLate: Promise<unknown> };

export interface EventDelivery {
  /** Age of the signature in milliseconds. */
  readonly age?: number;
  readonly secret?: string;
  /** Replaces the body, as if it had been tampered with. */
  readonly body?: string;
}

export interface StripeStandIn extends AsyncDisposable {
  readonly url: string;
  readonly state: StandInState;
  /** Environment variables for a server that uses the stand-in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Delivers each event to this address from now on, one after the other; null withholds them. */
  deliverTo(address: string | null): void;
  /** Sends one event, again or for the first time. Returns the status. */
  deliver(address: string, event: StandInEvent, delivery?: EventDelivery): Promise<number>;
  /** Resolves when all pending deliveries have arrived. Returns the statuses since the last call. */
  delivered(): Promise<readonly number[]>;
  /** Queues faults: each further API call gets the next one, and calls after the last succeed. */
  suffer(...troubles: StripeTrouble[]): void;
  /** Injects this fault into every call until it is set to null. */
  sufferAlways(trouble: StripeTrouble | null): void;
  /** Number of responses currently held back. */
  readonly held: number;
  /** The calls received, such as `POST /v1/customers`. */
  readonly calls: readonly string[];
}

const secretKey = 'sk_test_standin';
const webhookSecret = 'whsec_standin';

/** Stripe on loopback: it keeps state, serves payment pages, and reports changes with signed events. */
export async function startStripe({
  clock = systemClock,
}: { clock?: Pick<Clock, 'now'> } = {}): Promise<StripeStandIn> {
  const troubles: StripeTrouble[] = [];
  const calls: string[] = [];
  const replays = new Map<string, { readonly request: string; readonly answer: ApiAnswer }>();
  let always: StripeTrouble | null = null;
  let held = 0;
  let address: string | null = null;
  let statuses: number[] = [];
  let onTheirWay: Promise<void> = Promise.resolve();

  const deliver: StripeStandIn['deliver'] = async (to, event, { age = 0, secret = webhookSecret, body } = {}) => {
    const time = Math.floor((clock.now() - age) / 1000);
    const signature = createHmac('sha256', secret).update(`${time}.${event.body}`).digest('hex');
    const answer = await fetch(to, {
      method: 'POST',
      headers: {
        // A kept connection could be closed by the server in the moment in which it is used again.
        Connection: 'close',
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': `t=${time},v1=${signature}`,
      },
      body: body ?? event.body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const state = createStandInState(clock, (event) => {
    const to = address;
    if (to === null) return;
    // A server that is down receives the event when the test sends it again.
    const tell = () =>
      deliver(to, event).then(
        (status) => void statuses.push(status),
        () => void statuses.push(0),
      );
    onTheirWay = onTheirWay.then(tell);
  });

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', origin);
    const body = await text(request);
    if (!url.pathname.startsWith('/v1/')) {
      const form = request.method === 'POST' ? new URLSearchParams(body) : null;
      const page = answerPage(state, { path: url.pathname, query: url.searchParams, form });
      if (!page) return void response.writeHead(404).end();
      if ('to' in page) return void response.writeHead(303, { Location: page.to }).end();
      return void response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page.html);
    }
    const method = request.method ?? '';
    calls.push(`${method} ${url.pathname}`);
    const trouble = troubles.shift() ?? always;
    if (trouble !== null && (await spoil(response, trouble))) return;
    const params = method === 'GET' ? url.searchParams : new URLSearchParams(body);
    const result = answerOnce(request, `${method} ${url.pathname} ${params.toString()}`, () =>
      answerApi(state, origin, { method, path: url.pathname, params }),
    );
    if (trouble === 'done and dropped') return void response.destroy();
    // Serialized now, because the state may change before it is sent.
    const bytes = JSON.stringify(result.body);
    if (typeof trouble === 'object' && trouble && 'answeredLate' in trouble) {
      held += 1;
      await trouble.answeredLate;
      held -= 1;
    }
    send(response, result.status, bytes);
  };
  /** A call with a repeated key gets the original response (Stripe's idempotent requests). */
  const answerOnce = ({ headers }: IncomingMessage, request: string, run: () => ApiAnswer): ApiAnswer => {
    if (headers.authorization !== `Bearer ${secretKey}`)
      return refuse(401, 'api_key_invalid', 'Invalid API Key provided');
    const key = headers['idempotency-key'];
    const known = typeof key === 'string' ? replays.get(key) : undefined;
    if (known && known.request !== request)
      return refuse(400, 'idempotency_key_in_use', 'Keys can only be used with the same parameters');
    const fresh = known?.answer ?? run();
    if (typeof key === 'string') replays.set(key, { request, answer: fresh });
    return fresh;
  };

  // An idle connection is never closed: its client could be sending the next call on it.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    state,
    environment: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICES: standInPrices.map((price) => `${price.replace('price_', '')}=${price}`).join(','),
      STRIPE_API_URL: origin,
    },
    deliverTo: (to) => void (address = to),
    deliver,
    async delivered() {
      for (let last; last !== onTheirWay;) await (last = onTheirWay);
      const all = statuses;
      statuses = [];
      return all;
    },
    suffer: (...more) => void troubles.push(...more),
    sufferAlways: (trouble) => void (always = trouble),
    calls,
    get held() {
      return held;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Returns whether the response is already finished. */
async function spoil(response: ServerResponse, trouble: StripeTrouble): Promise<boolean> {
  if (typeof trouble === 'object') {
    if ('lateMs' in trouble) await pause(trouble.lateMs);
    return false;
  }
  if (trouble === 'done and dropped') return false;
  if (trouble === 'dropped') response.destroy();
  else if (trouble === 'not JSON') response.writeHead(200).end('<!doctype html>');
  else if (trouble === 'cut short')
    response.writeHead(200, { 'Content-Length': 100 }).write('{"object":', () => response.destroy());
  else if (trouble === 'moved') response.writeHead(307, { Location: '/v1/elsewhere' }).end();
  else if (typeof trouble === 'number') send(response, trouble, JSON.stringify(refusals[trouble].body));
  return true;
}

const refusals = {
  401: refuse(401, 'api_key_expired', 'Expired API Key provided'),
  402: refuse(402, 'card_declined', 'Your card was declined.'),
  404: refuse(404, 'resource_missing', 'No such thing', 'id'),
  429: refuse(429, 'rate_limit', 'Too many requests'),
  500: refuse(500, 'internal', 'Something went wrong'),
};

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}
