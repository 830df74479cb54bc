import { Failure } from '@holdfast/contract/src/errors.ts';
import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { HostRole } from '../origins.ts';

/**
 * Every request names one host, and once `PUBLIC_URL` is set, one of ours: anything else is 421 (decisions section 1).
 * While it is not set, any host is served so that a newcomer can open it by address, and the log says so once.
 * `refuse` answers what a host of files does not serve.
 */
export function serveByHost(app: FastifyInstance, context: Context, refuse: Refusal): void {
  const roleOf = createRoles(context);
  app.addHook('onRequest', (request, reply, done) => {
    const role = roleOf(onlyHost(request));
    if (role === 'both') return done();
    const target = originForm(request.url);
    const file = isPublicFilePath(target);
    if (role === 'files' && !file) return refuse(request, reply);
    // Links that were handed out before files got an origin of their own go on working.
    if (role === 'app' && file) return void reply.redirect(context.origins.files[0] + target, 307);
    done();
  });
}

/** A target may come with its origin before it, as for a proxy, and has to be understood (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
}

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
  const host = raw.headers.host?.toLowerCase() ?? '';
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
