import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

/**
 * Every request names one host, and once `PUBLIC_URL` is set, one of ours: anything else is 421 (decisions section 1).
 * While it is not set, any host is served so that a newcomer can open it by address, and the log says so once.
 */
export function refuseUnknownHosts(app: FastifyInstance, context: Context): void {
  let said = false;
  app.addHook('onRequest', async (request) => {
    const host = onlyHost(request);
    if (context.origins.hosts.has(host)) return;
    if (context.config.publicUrl !== null) throw new Failure('MISDIRECTED');
    if (!said)
      context.log.warn(
        `PUBLIC_URL should be set: requests come for ${host}, and links are made for ${context.origins.files[0]}`,
      );
    said = true;
  });
}

function onlyHost({ raw }: FastifyRequest): string {
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  const host = raw.headers.host?.toLowerCase() ?? '';
  if (hosts.length !== 1 || !/^[a-z0-9._~[\]:-]+$/.test(host)) {
    throw new Failure('INVALID_INPUT', 'A request needs exactly one valid Host header.');
  }
  return host;
}
