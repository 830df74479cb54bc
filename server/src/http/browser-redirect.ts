/** A path below `/api` that people open in their browser. Whatever happens, it redirects to a page. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { type CookieJar, openCookieJar } from './cookies.ts';
import { apiHeaders, sendFailure, toFailure } from './failures.ts';
import { isSameSiteNavigation } from './same-site-navigation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A signed-in caller is counted by session, like any call of the web app. */
    isBrowserRedirect?: boolean;
  }
}

export interface BrowserRedirect {
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: CookieJar;
  readonly address: string;
}

export interface BrowserRedirectOptions {
  readonly path: string;
  /** Returns the redirect target: a path of the web app, or an address elsewhere. */
  readonly lead: (redirect: BrowserRedirect) => Promise<string>;
  /** Redirect target for a visit from another site, and for a program's HEAD request. */
  readonly fromElsewhere: string;
  /** Redirect target for a visit that failed. */
  readonly onFailure: (failure: Failure) => string;
}

export function serveBrowserRedirect(app: FastifyInstance, context: Context, options: BrowserRedirectOptions): void {
  const { path, lead, fromElsewhere, onFailure } = options;
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    goOn(reply, onFailure(toFailure(error, request, context)));
  app.get(
    path,
    {
      config: { isBrowserRedirect: true },
      errorHandler: (error, request, reply) => fail(error, request, reply),
    },
    async (request, reply) => {
      if (isPrefetch(request)) return sendFailure(reply, new Failure('UNAVAILABLE'));
      // Browsers never navigate by HEAD, and a program that only checks the path must not trigger the action.
      if (request.method === 'HEAD' || !isSameSiteNavigation(request, context.config.publicUrl))
        return goOn(reply, fromElsewhere);
      try {
        const cookies = openCookieJar(request.headers.cookie, context.origins.app, (cookie) =>
          reply.header('Set-Cookie', cookie),
        );
        const query = request.query as BrowserRedirect['query'];
        return goOn(reply, await lead({ query, cookies, address: request.ip }));
      } catch (error) {
        return fail(error, request, reply);
      }
    },
  );
}

/**
 * Detects a browser that prefetches a page its user may open next, for example while they type an address. It discards
 * a refusal and requests the page again when they do open it.
 */
const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((value) => /^prefetch\b/.test(String(value)));

const goOn = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(303).headers(apiHeaders).header('Location', address).send();
