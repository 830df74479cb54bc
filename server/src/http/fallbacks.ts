import { apiRoot, type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './failures.ts';
import { discardRestOfBody } from './refused-body.ts';

/** Every answer under `/api` is JSON: an unknown path is 404, a known one with a wrong method 405 with `Allow`. */
export function serveApiFallbacks(app: FastifyInstance): void {
  const methods = methodsByPath();
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methods.get(request.url.split('?', 1)[0] ?? '');
    discardRestOfBody(request.raw);
    if (!allowed) return sendFailure(reply, new Failure('NOT_FOUND'));
    return sendFailure(reply.header('Allow', allowed.join(', ')), new Failure('METHOD_NOT_ALLOWED'));
  };
  // Refused before the body is looked at: what it holds does not matter here.
  for (const url of [apiRoot, `${apiRoot}/*`]) app.all(url, { onRequest: refuse }, refuse);
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, aliases = [], method } of Object.values<Endpoint>(endpoints)) {
    for (const url of [path, ...aliases]) methods.set(url, [...(methods.get(url) ?? []), method]);
  }
  return methods;
}
