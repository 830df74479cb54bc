/** Calls Stripe through the SDK, with time limits, and translates its errors to those of the port. */
import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Stripe } from 'stripe';
import { requestText } from '../request-text.ts';
import { NotForSale, PaymentsUnavailable, UnknownCustomer } from './payments.ts';

export interface AskOptions {
  readonly secretKey: string;
  readonly apiUrl: string;
  readonly limits?: StripeLimits;
}

interface StripeLimits {
  /** For each connection, including its TLS handshake. */
  readonly connectMs: number;
  /** For each try, up to the last byte of its response. */
  readonly tryMs: number;
  /** For all requests of one call of the port, including retries. */
  readonly totalMs: number;
}

const usualLimits: StripeLimits = { connectMs: 3_000, tryMs: 8_000, totalMs: 20_000 };

/** A page of a hundred subscriptions has about 400 KB. */
const longestAnswer = 8 * 1024 * 1024;

export type Ask = <T>(question: (stripe: Stripe) => Promise<T>, customerId?: string) => Promise<T>;

/** Creates one client per call of the port, which ends with that call's time limit. All share their connections. */
export function createAsk({ secretKey, apiUrl, limits = usualLimits }: AskOptions): Ask {
  const agents = { http: new PlainAgent({ keepAlive: true }), https: new SecureAgent({ keepAlive: true }) };
  const { hostname, port, protocol } = new URL(apiUrl);
  const secure = protocol === 'https:';
  return async (question, customerId) => {
    const stripe = new Stripe(secretKey, {
      host: hostname,
      port: port || (secure ? 443 : 80),
      protocol: secure ? 'https' : 'http',
      httpClient: httpClient(agents, limits, AbortSignal.timeout(limits.totalMs)),
      // The SDK waits between retries, with growing and random delays.
      maxNetworkRetries: 2,
      telemetry: false,
    });
    try {
      return await question(stripe);
    } catch (error) {
      if (error instanceof NotForSale) throw error;
      if (isRefusal(error)) throw new PaymentsUnavailable(withoutRequest(error), keyRefused);
      if (customerId !== undefined && isMissingCustomer(error))
        throw new UnknownCustomer(customerId, withoutRequest(error));
      throw new PaymentsUnavailable(withoutRequest(error));
    }
  };
}

/** The SDK's own client waits for a connection as long as the system does, and as long as a byte arrives now and then. */
function httpClient(
  agents: { readonly http: PlainAgent; readonly https: SecureAgent },
  limits: StripeLimits,
  signal: AbortSignal,
): Stripe.HttpClient {
  return {
    getClientName: () => 'node',
    async makeRequest(host, port, path, method, headers, body, protocol) {
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
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(limits.tryMs)]),
        connectMs: limits.connectMs,
        longestAnswer,
      });
      return {
        getStatusCode: () => response.statusCode ?? 0,
        getHeaders: () => response.headers as Record<string, string>,
        getRawResponse: () => response,
        toStream: () => {
          throw new Error('nothing is streamed here');
        },
        toJSON: async () => JSON.parse(text) as unknown,
      };
    },
  };
}

const keyRefused = 'The payment provider refuses STRIPE_SECRET_KEY: it is wrong, or revoked, or may do too little';

const isRefusal = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError;

export const isMissing = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';

export const isMissingCustomer = (error: unknown): boolean => isMissing(error) && error.param === 'customer';

/** Strips an SDK error, which has the headers and the raw response, down to what the log may contain. */
function withoutRequest(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { type, code, statusCode, requestId, detail } = error as Partial<Stripe.errors.StripeError>;
  const facts = [type, code, statusCode, requestId].filter((fact) => fact !== undefined).join(' ');
  const cause = detail instanceof Error ? `: ${detail.message}` : '';
  return new Error(`${error.message}${cause}${facts === '' ? '' : ` (${facts})`}`);
}
