/**
 * How often the API may be called (decisions section 2): 4 times a second from one address, with a key or with nothing,
 * and 20 times a second in one session. It is decided before anybody is asked who calls and before a body is read.
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
/** What an address may send with cookies that nobody has looked up yet, before one of them proves to be a session's. */
const unprovenPerAddress: Limit = { capacity: 40, everyMs: 250 };

export interface RateLimit {
  /**
   * Counts a request and gives its answer the `RateLimit` headers.
   * @throws {Failure} RATE_LIMITED.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Whether the request claims a session that nobody has looked up lately. */
  mustBeProved(request: FastifyRequest): boolean;
  /** The request has turned out to come from the session that it claims. */
  proved(request: FastifyRequest): Promise<void>;
  /**
   * It has turned out to come from no session, so its address pays for it: made-up cookies are no way around that.
   * @throws {Failure} RATE_LIMITED.
   */
  disproved(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** What a session's cookie is counted by, without asking whether there is such a session. */
export type SessionOf = (cookies: CookieJar) => string | undefined;

interface Claim {
  readonly session: string;
  readonly proven: boolean;
}

export function createRateLimit(context: Context, sessionOf: SessionOf): RateLimit {
  const { counters, clock } = context;
  const provenSessions = createProvenSessions(clock);
  const claims = new WeakMap<FastifyRequest, Claim>();

  const take = async (reply: FastifyReply, key: string, limit: Limit) => {
    const taken = await counters.take(key, limit);
    reply.headers(headersFor(taken, limit));
    if (!taken.allowed) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: taken.retryAfterSeconds });
  };
  const takeFromAddress = (request: FastifyRequest, reply: FastifyReply) =>
    take(reply, `calls from ${clientKey(request.ip)}`, perAddress);
  const unprovenKey = ({ ip }: FastifyRequest) => `unproven calls from ${clientKey(ip)}`;

  return {
    async admit(request, reply) {
      const session = judgedByKey(request)
        ? undefined
        : sessionOf(openCookieJar(request.headers.cookie, context.origins.app, () => {}));
      const proven = session !== undefined && provenSessions.has(session);
      // Where there is no route, nobody will be asked whether there is such a session.
      if (session === undefined || !(proven || request.routeOptions.config.endpoint))
        return takeFromAddress(request, reply);
      if (!proven) await take(reply, unprovenKey(request), unprovenPerAddress);
      claims.set(request, { session, proven });
      await take(reply, `calls of session ${session}`, perSession);
    },
    mustBeProved: (request) => claims.get(request)?.proven === false,
    async proved(request) {
      const claim = claims.get(request);
      if (!claim) return;
      provenSessions.add(claim.session);
      if (!claim.proven) await counters.giveBack(unprovenKey(request), unprovenPerAddress);
    },
    async disproved(request, reply) {
      const claim = claims.get(request);
      if (!claim) return;
      provenSessions.forget(claim.session);
      await takeFromAddress(request, reply);
    },
  };
}

/** Where both a key and a session are sent, the key alone decides (decisions section 2). */
const judgedByKey = ({ headers, routeOptions }: FastifyRequest) =>
  headers['x-api-key'] !== undefined && routeOptions.config.endpoint?.access === 'account';

const headersFor = ({ remaining, resetSeconds }: Taken, { capacity }: Limit) => ({
  'RateLimit-Limit': capacity,
  'RateLimit-Remaining': remaining,
  'RateLimit-Reset': resetSeconds,
});
