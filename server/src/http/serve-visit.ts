/** A path below `/api` that people go to with their browser: whatever happens, it leads them on to a page. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { type CookieJar, openCookieJar } from './cookies.ts';
import { apiHeaders, sendFailure, toFailure } from './failures.ts';
import { isSameSiteVisit } from './same-site-visit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whoever is signed in is counted by their session, as with any call of the web app. */
    isVisit?: boolean;
  }
}

export interface Visit {
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: CookieJar;
  readonly address: string;
}

export interface VisitOptions {
  readonly path: string;
  /** Where the visit leads to, a path of the web app or an address elsewhere. */
  readonly lead: (visit: Visit) => Promise<string>;
  /** Where one leads to that comes from another site, and one that is no visit but a program's question (HEAD). */
  readonly fromElsewhere: string;
  /** Where one leads to that failed. */
  readonly onFailure: (failure: Failure) => string;
}

export function serveVisit(app: FastifyInstance, context: Context, options: VisitOptions): void {
  const { path, lead, fromElsewhere, onFailure } = options;
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    goOn(reply, onFailure(toFailure(error, request, context)));
  app.get(
    path,
    {
      config: { isVisit: true },
      errorHandler: (error, request, reply) => fail(error, request, reply),
    },
    async (request, reply) => {
      if (isAhead(request)) return sendFailure(reply, new Failure('UNAVAILABLE'));
      // Nobody's browser goes anywhere by HEAD, and who only asks must not open anything.
      if (request.method === 'HEAD' || !isSameSiteVisit(request, context.config.publicUrl))
        return goOn(reply, fromElsewhere);
      try {
        const cookies = openCookieJar(request.headers.cookie, context.origins.app, (cookie) =>
          reply.header('Set-Cookie', cookie),
        );
        const query = request.query as Visit['query'];
        return goOn(reply, await lead({ query, cookies, address: request.ip }));
      } catch (error) {
        return fail(error, request, reply);
      }
    },
  );
}

/**
 * A browser that fetches what its person may open next, as while they type an address. It forgets what is refused, and
 * asks again when they do open it.
 */
const isAhead = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((value) => /^prefetch\b/.test(String(value)));

const goOn = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(303).headers(apiHeaders).header('Location', address).send();
