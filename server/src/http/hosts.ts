import { Failure } from '@holdfast/contract/src/errors.ts';
import { fileRoot, isPublicFilePath, speedTestPath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { HostRole } from '../origins.ts';
import { publicHeaders } from './public-policy.ts';
import { discardUnwantedBody } from './refused-body.ts';

/**
 * Every request names one host, and once `PUBLIC_URL` is set, one of ours: anything else is 421.
 * While it is not set, any host is served so that a newcomer can open it by address, and the log says so once.
 * `refuse` answers what a host of files does not serve.
 */
export function serveByHost(app: FastifyInstance, context: Context, refuse: Refusal): void {
  const roleOf = createRoles(context);
  app.addHook('onRequest', (request, reply, done) => {
    const role = roleOf(onlyHost(request));
    if (role === 'both') return done();
    const file = isForPublicFiles(request);
    // Whatever is answered here is answered before anybody watches the body.
    if (role === 'files' && !file) {
      discardUnwantedBody(request.raw);
      return refuse(request, reply);
    }
    // Links that were handed out before files got an origin of their own go on working.
    // A browser's question whether it may ask at all must not be redirected, so it is answered here.
    if (role === 'app' && file && request.method !== 'OPTIONS') {
      discardUnwantedBody(request.raw);
      return void reply.headers(publicHeaders).redirect(context.origins.files[0] + pathOf(request.url), 307);
    }
    done();
  });
}

/** By the route, which has seen through percent escapes; where there is none for the method, by the path. */
function isForPublicFiles({ routeOptions, url }: FastifyRequest): boolean {
  return routeOptions.url === undefined ? isPublicFilePath(pathOf(url)) : publicRoutes.has(routeOptions.url);
}

const publicRoutes = new Set<string>([`${fileRoot}*`, speedTestPath]);

/** A target may come with its origin before it, as for a proxy, and has to be understood (RFC 9112 section 3.2.2). */
const absolute = /^https?:\/\/([^/?]*)/i;

const pathOf = (target: string) => target.replace(absolute, '');

type Refusal = (request: FastifyRequest, reply: FastifyReply) => void;

function createRoles(context: Context): (host: string) => HostRole {
  let said = false;
  return (host) => {
    const { hosts, otherHosts, files } = context.origins;
    const role = hosts.get(host);
    if (role) return role;
    if (context.config.publicUrl !== null) throw new Failure('MISDIRECTED');
    if (!said)
      context.log.warn(`PUBLIC_URL should be set: requests come for ${host}, and links are made for ${files[0]}`);
    said = true;
    return otherHosts;
  };
}

function onlyHost({ raw }: FastifyRequest): string {
  // The host in an absolute target outdoes the header (RFC 9112 section 3.2.2).
  const named = absolute.exec(raw.url ?? '')?.[1] ?? raw.headers.host;
  const host = named?.toLowerCase() ?? '';
  if (countOfHosts(raw.rawHeaders) !== 1 || !/^[a-z0-9._~[\]:-]+$/.test(host)) {
    throw new Failure('INVALID_INPUT', 'A request needs exactly one valid Host header.');
  }
  return host;
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count;
}
