/**
 * Rate limits of the API: 4 calls per second from one address, with a key or without credentials, 20 per second in one
 * session, and 200 uploads per second with one key. They apply before the caller is identified and before a body is
 * read.
 */
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Limit, Taken } from '../storage/counters/counters.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { clientKey } from './client-address.ts';
import { type CookieJar, openCookieJar } from './cookies.ts';
import { createProvenCredentials } from './proven-credentials.ts';
import { sentKeys } from './sent-keys.ts';

const perAddress: Limit = { capacity: 4, everyMs: 250 };
const perSession: Limit = { capacity: 40, everyMs: 50 };
/** A build with many small files is not slower than the server. Four uploads of an account run at a time anyway. */
const uploadsPerKey: Limit = { capacity: 200, everyMs: 5 };
/** Limit for an address whose sessions or keys have not been verified yet. */
const unprovenPerAddress: Limit = { capacity: 40, everyMs: 250 };

export interface RateLimit {
  /**
   * Counts a request and sets the `RateLimit` headers of its response.
   * @throws {Failure} RATE_LIMITED.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export interface CredentialLookup {
  /** Returns the counter key of a session cookie without looking the session up. */
  sessionKeyOf(cookies: CookieJar): string | undefined;
  /** Both look up the credentials of `request`. */
  isOpenSession(request: FastifyRequest, cookies: CookieJar): Promise<boolean>;
  isValidKey(request: FastifyRequest, apiKey: string): Promise<boolean>;
}

/** A session, or a key that uploads: its calls have a limit of their own, apart from that of the address. */
interface Credential {
  readonly countedAs: string;
  readonly limit: Limit;
  /** Looks it up, because made-up and expired credentials must not bypass the limit of an address. */
  isValid(): Promise<boolean>;
}

export function createRateLimit(context: Context, lookup: CredentialLookup): RateLimit {
  const { counters, clock } = context;
  const provenCredentials = createProvenCredentials(clock);

  const take = async (reply: FastifyReply, key: string, limit: Limit) => {
    const taken = await counters.take(key, limit);
    reply.headers(headersFor(taken, limit));
    if (!taken.allowed) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: taken.retryAfterSeconds });
  };

  const credentialOf = (request: FastifyRequest): Credential | undefined => {
    const apiKey = keyOf(request);
    if (apiKey !== undefined) {
      if (!isUpload(request)) return undefined;
      return {
        countedAs: `uploads with key ${sha256Hex(apiKey)}`,
        limit: uploadsPerKey,
        isValid: () => lookup.isValidKey(request, apiKey),
      };
    }
    if (!mayHaveSession(request)) return undefined;
    const cookies = openCookieJar(request.headers.cookie, context.origins.app, () => {});
    const session = lookup.sessionKeyOf(cookies);
    if (session === undefined) return undefined;
    return {
      countedAs: `calls of session ${session}`,
      limit: perSession,
      isValid: () => lookup.isOpenSession(request, cookies),
    };
  };

  return {
    async admit(request, reply) {
      const client = clientKey(request.ip);
      const credential = credentialOf(request);
      if (!credential) return take(reply, `calls from ${client}`, perAddress);

      const { countedAs, limit } = credential;
      const proven = provenCredentials.has(countedAs);
      const unproven = `unproven calls from ${client}`;
      if (proven) await take(reply, countedAs, limit);
      else await take(reply, unproven, unprovenPerAddress);
      if (!(await credential.isValid())) {
        provenCredentials.forget(countedAs);
        return take(reply, `calls from ${client}`, perAddress);
      }
      if (proven) return;
      provenCredentials.add(countedAs);
      await counters.giveBack(unproven, unprovenPerAddress);
      await take(reply, countedAs, limit);
    },
  };
}

/** If a request has both a key and a session, only the key counts. One with different keys is refused later. */
function keyOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.endpoint?.access === 'account' ? sentKeys(headers)[0] : undefined;
}

const isUpload = ({ routeOptions }: FastifyRequest) => routeOptions.config.endpoint === endpoints.upload;

/** Without an endpoint, no session is looked up. */
function mayHaveSession({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.endpoint !== undefined || config.isBrowserRedirect === true;
}

const headersFor = ({ remaining, resetSeconds }: Taken, { capacity }: Limit) => ({
  'RateLimit-Limit': capacity,
  'RateLimit-Remaining': remaining,
  'RateLimit-Reset': resetSeconds,
});
