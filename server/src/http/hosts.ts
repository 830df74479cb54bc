import { Failure } from '@holdfast/contract/src/errors.ts';
import { fileRoot, isPublicFilePath, speedTestPath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.ts';
import type { HostRole } from '../config/origins.ts';
import { onceAnHour } from '../lib/once-an-hour.ts';
import { discardUnwantedBody } from './body-deadlines.ts';
import { publicHeaders } from './response-headers.ts';

/** Until `PUBLIC_URL` is set, any host is served, so that a new operator can open the server by address. */
export function serveByHost(
  app: FastifyInstance,
  context: Pick<Context, 'config' | 'log' | 'clock'>,
  refuse: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const roleOf = createRoles(context);
  app.addHook('onRequest', (request, reply, done) => {
    const role = roleOf(onlyHost(request.raw));
    if (role === 'both') return done();
    const file = isForPublicFiles(request);
    if (role === 'files' && !file) {
      discardUnwantedBody(request.raw);
      return refuse(request, reply);
    }
    // Keeps links working that are older than the host of files. A CORS preflight must not be redirected.
    if (role === 'app' && file && request.method !== 'OPTIONS') {
      discardUnwantedBody(request.raw);
      return void reply.headers(publicHeaders).redirect(context.config.origins.files[0] + pathOf(request.url), 307);
    }
    done();
  });
}

export function isForPublicFiles({ routeOptions, url }: FastifyRequest): boolean {
  return routeOptions.url === undefined ? isPublicFilePath(pathOf(url)) : publicRoutes.has(routeOptions.url);
}

const publicRoutes = new Set<string>([`${fileRoot}*`, speedTestPath]);

/** A target in absolute form must be accepted, and its host takes precedence (RFC 9112 section 3.2.2). */
const absolute = /^https?:\/\/([^/?]*)/i;

const pathOf = (target: string) => target.replace(absolute, '');

function createRoles(context: Pick<Context, 'config' | 'log' | 'clock'>): (host: string) => HostRole {
  const logUnknown = createUnknownHostLog(context);
  let said = false;
  return (host) => {
    const { hosts, otherHosts, files } = context.config.origins;
    const role = hosts.get(host);
    if (role) return role;
    if (context.config.publicUrl !== null) {
      logUnknown(host);
      throw new Failure('MISDIRECTED');
    }
    if (!said) context.log.warn(`PUBLIC_URL is not set: requests arrive for ${host}, but links use ${files[0]}`);
    said = true;
    return otherHosts;
  };
}

/** Not in the response: it would tell who scans addresses which site is behind this one. */
function createUnknownHostLog({ config, log, clock }: Pick<Context, 'config' | 'log' | 'clock'>) {
  const isDue = onceAnHour(clock, 20);
  return (host: string): void => {
    if (!isDue(host)) return;
    const own = [...new Set([config.origins.app, ...config.origins.files])].join(', ');
    log.warn(
      `Requests for the host ${host.slice(0, longestName)} get 421, because PUBLIC_URL and FILE_ORIGINS name only ${own}. ` +
        'Add it to FILE_ORIGINS if links should work there. A proxy must pass on the Host that it received',
    );
  };
}

const longestName = 253;

function onlyHost(raw: IncomingMessage): string {
  const host = hostNamedBy(raw);
  if (host === undefined) throw new Failure('INVALID_INPUT', 'A request needs exactly one valid Host header.');
  return host;
}

export function hostNamedBy(raw: IncomingMessage): string | undefined {
  const named = absolute.exec(raw.url ?? '')?.[1] ?? raw.headers.host;
  const host = named?.toLowerCase() ?? '';
  return countOfHosts(raw.rawHeaders) === 1 && /^[a-z0-9._~[\]:-]+$/.test(host) ? host : undefined;
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count;
}
