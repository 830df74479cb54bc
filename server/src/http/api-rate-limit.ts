/**
 * Rate limits of the API: 4 calls per second from one address, with a key or without credentials, and 20 per second in
 * one session. They apply before the caller is identified and before a body is read.
 */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Limit, Taken } from '../engines/counters/counters.ts';
import { clientKey } from './client-address.ts';
import { type CookieJar, openCookieJar } from './cookies.ts';
import { createProvenSessions } from './proven-sessions.ts';

const perAddress: Limit = { capacity: 4, everyMs: 250 };
const perSession: Limit = { capacity: 40, everyMs: 50 };
/** Limit for an address whose session cookies have not been verified yet. */
const unprovenPerAddress: Limit = { capacity: 40, everyMs: 250 };

export interface RateLimit {
  /**
   * Counts a request and sets the `RateLimit` headers of its response.
   * @throws {Failure} RATE_LIMITED.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export interface SessionLookup {
  /** Returns the counter key of a session cookie without looking the session up. */
  keyOf(cookies: CookieJar): string | undefined;
  isOpen(cookies: CookieJar, address: string): Promise<boolean>;
}

export function createRateLimit(context: Context, sessions: SessionLookup): RateLimit {
  const { counters, clock } = context;
  const provenSessions = createProvenSessions(clock);

  const take = async (reply: FastifyReply, key: string, limit: Limit) => {
    const taken = await counters.take(key, limit);
    reply.headers(headersFor(taken, limit));
    if (!taken.allowed) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: taken.retryAfterSeconds });
  };

  return {
    async admit(request, reply) {
      const client = clientKey(request.ip);
      const cookies = openCookieJar(request.headers.cookie, context.origins.app, () => {});
      const session = mayHaveSession(request) ? sessions.keyOf(cookies) : undefined;
      if (session === undefined) return take(reply, `calls from ${client}`, perAddress);

      const proven = provenSessions.has(session);
      const unproven = `unproven calls from ${client}`;
      if (proven) await take(reply, `calls of session ${session}`, perSession);
      else await take(reply, unproven, unprovenPerAddress);
      // Made-up and expired cookies must not bypass the limit of an address, whatever else is wrong with the request.
      if (!(await sessions.isOpen(cookies, request.ip))) {
        provenSessions.forget(session);
        return take(reply, `calls from ${client}`, perAddress);
      }
      if (proven) return;
      provenSessions.add(session);
      await counters.giveBack(unproven, unprovenPerAddress);
      await take(reply, `calls of session ${session}`, perSession);
    },
  };
}

/** If a request has both a key and a session, only the key counts. Without an endpoint, no session is looked up. */
function mayHaveSession({ headers, routeOptions }: FastifyRequest): boolean {
  const { endpoint, isBrowserRedirect } = routeOptions.config;
  if (endpoint === undefined) return isBrowserRedirect === true;
  return !(headers['x-api-key'] !== undefined && endpoint.access === 'account');
}

const headersFor = ({ remaining, resetSeconds }: Taken, { capacity }: Limit) => ({
  'RateLimit-Limit': capacity,
  'RateLimit-Remaining': remaining,
  'RateLimit-Reset': resetSeconds,
});
