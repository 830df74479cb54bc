import type { Agent as PlainAgent, IncomingMessage } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import type { Stripe } from 'stripe';
import { requestText } from '../../lib/request-text.ts';

export interface StripeLimits {
  /** For each connection, including its TLS handshake. */
  readonly connectMs: number;
  /** For each try, up to the last byte of its response. */
  readonly tryMs: number;
  /** For all requests of one call of the port, including retries. */
  readonly totalMs: number;
}

export interface StripeHttp {
  readonly agents: { readonly http: PlainAgent; readonly https: SecureAgent };
  readonly limits: StripeLimits;
  /** Signal of that call of the port. */
  readonly signal: AbortSignal;
}

/** A page of a hundred subscriptions has about 400 KB. */
const longestAnswer = 8 * 1024 * 1024;

/**
 * HTTP client for the SDK. The SDK's own client waits for a connection as long as the system does, and for a response
 * as long as a byte arrives now and then.
 */
export function createStripeHttp({ agents, limits, signal }: StripeHttp): Stripe.HttpClient {
  return {
    getClientName: () => 'node',
    async makeRequest(host, port, path, method, headers, requestData, protocol) {
      signal.throwIfAborted();
      const secure = protocol !== 'http';
      const { response, text } = await requestText({
        secure,
        host,
        port,
        path,
        method,
        headers: { ...headers },
        agent: secure ? agents.https : agents.http,
        body: requestData,
        signal: AbortSignal.any([signal, AbortSignal.timeout(limits.tryMs)]),
        connectMs: limits.connectMs,
        longestAnswer,
      });
      return asAnswer(response, text);
    },
  };
}

type Answer = Awaited<ReturnType<Stripe.HttpClient['makeRequest']>>;

function asAnswer(response: IncomingMessage, body: string): Answer {
  return {
    getStatusCode: () => response.statusCode ?? 0,
    getHeaders: () => response.headers as ReturnType<Answer['getHeaders']>,
    getRawResponse: () => response,
    toStream: () => {
      throw new Error('nothing is streamed here');
    },
    toJSON: async () => JSON.parse(body) as unknown,
  };
}
