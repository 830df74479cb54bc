/** Calls Stripe through the SDK, with a time limit, and translates its errors to those of the port. */
import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Stripe } from 'stripe';
import { NotForSale, PaymentsUnavailable, UnknownCustomer } from './payments.ts';
import { createStripeHttp, type StripeLimits } from './stripe-http.ts';

export interface AskOptions {
  readonly secretKey: string;
  readonly apiUrl: string;
  readonly limits?: StripeLimits;
}

const usualLimits: StripeLimits = { connectMs: 3_000, tryMs: 8_000, totalMs: 20_000 };

export type Ask = <T>(question: (stripe: Stripe) => Promise<T>, customerId?: string) => Promise<T>;

/**
 * Creates one client per call of the port, which ends with that call's time limit. All clients share their connections.
 */
export function createAsk({ secretKey, apiUrl, limits = usualLimits }: AskOptions): Ask {
  const agents = { http: new PlainAgent({ keepAlive: true }), https: new SecureAgent({ keepAlive: true }) };
  const { hostname, port, protocol } = new URL(apiUrl);
  return async (question, customerId) => {
    const signal = AbortSignal.timeout(limits.totalMs);
    const stripe = new Stripe(secretKey, {
      host: hostname,
      port: port || (protocol === 'https:' ? 443 : 80),
      protocol: protocol === 'https:' ? 'https' : 'http',
      httpClient: createStripeHttp({ agents, limits, signal }),
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
