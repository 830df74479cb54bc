import type * as z from 'zod/mini';
import { type Call, type CallName, calls } from './calls.ts';
import type { Endpoint, endpoints, ReplyOf } from './endpoints.ts';
import { CallFailed } from './call-failed.ts';
import { readReply } from './envelope.ts';

export const defaultTimeoutMs = 30_000;

type QueryInput<E> = E extends { query: infer Q extends z.ZodMiniType }
  ? { readonly query: QueryValues<z.output<Q>> }
  : object;
type QueryValues<Q> = { readonly [K in keyof Q]?: Q[K] };
type BodyInput<E> = E extends { body: infer B extends z.ZodMiniType } ? { readonly body: z.input<B> } : object;
export type CallInput<E> = QueryInput<E> & BodyInput<E> & { readonly signal?: AbortSignal };

type ClientName = Exclude<CallName, 'upload'>;
type ClientFunction<E extends Endpoint> = (
  ...args: E extends { body: unknown } | { query: unknown } ? [input: CallInput<E>] : [input?: CallInput<E>]
) => Promise<ReplyOf<E>>;
export type Client = { readonly [Name in ClientName]: ClientFunction<(typeof endpoints)[Name]> };

export interface ClientOptions {
  readonly origin?: string;
  readonly apiKey?: string;
}

/** Every function of the client throws only `CallFailed`, or the reason of an aborted `signal`. */
export function createClient(fetch: typeof globalThis.fetch, options: ClientOptions = {}): Client {
  const { upload: _, ...others } = calls;
  const functionFor =
    (call: Call) =>
    (input: AnyInput = {}) =>
      make(call, fetch, options, input);
  return Object.fromEntries(
    Object.entries(others).map(([name, call]) => [name, functionFor(call)]),
  ) as unknown as Client;
}

interface AnyInput {
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

async function make(call: Call, fetch: typeof globalThis.fetch, options: ClientOptions, input: AnyInput) {
  const timeout = AbortSignal.timeout(defaultTimeoutMs);
  const request: RequestInit = {
    method: call.method,
    credentials: options.apiKey === undefined ? 'include' : 'omit',
    headers: {
      ...(options.apiKey !== undefined && { 'X-API-Key': options.apiKey }),
      ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  };
  try {
    const answer = await fetch(`${options.origin ?? ''}${call.path}${queryText(input.query)}`, request);
    return readReply(answer.status, await answer.text(), answer.headers.get('Retry-After'));
  } catch (error) {
    if (error instanceof CallFailed) throw error;
    input.signal?.throwIfAborted();
    throw new CallFailed('no-response', 0, { cause: error });
  }
}

function queryText(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(pairs.map(([key, value]) => [key, String(value)])))}`;
}
