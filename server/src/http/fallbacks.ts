import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './failures.ts';
import { methodsOf } from './methods-of.ts';
import { discardUnroutedBody } from './refused-body.ts';

/**
 * Makes every response under `/api` JSON: an unknown path is 404, a known path with a wrong method is 405 with `Allow`.
 */
export function serveApiFallbacks(app: FastifyInstance): void {
  // Refuses before reading the body, whose content does not matter here.
  for (const url of [apiRoot, `${apiRoot}/*`]) app.all(url, { onRequest: respondNotFound }, respondNotFound);
}

/** Handles requests without a route: an unsupported method or an unknown path. */
export async function respondNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  discardUnroutedBody(request.raw);
  const path = request.url.split('?', 1)[0] ?? '';
  const api = path === apiRoot || path.startsWith(`${apiRoot}/`);
  const known = byPath.get(path);
  const others = isPublicFilePath(request.url) ? ['GET', 'HEAD', 'OPTIONS'] : ['GET', 'HEAD'];
  const allowed = api ? (known?.flatMap(methodsOf) ?? beyondTheContract.get(path)) : others;
  const asText = known?.some(({ bodyType }) => bodyType === 'multipart') ?? false;
  if (!allowed || allowed.includes(request.method)) return sendFailure(reply, new Failure('NOT_FOUND'));
  return sendFailure(reply.header('Allow', allowed.join(', ')), new Failure('METHOD_NOT_ALLOWED'), asText);
}

/** Paths outside the API contract: pages that a browser opens, and calls that a provider makes. */
const beyondTheContract: ReadonlyMap<string, readonly string[]> = new Map([
  [subscriptionPath, methodsOf({ method: 'GET' })],
  [paymentEventsPath, methodsOf({ method: 'POST' })],
]);

const byPath: ReadonlyMap<string, readonly Endpoint[]> = Map.groupBy(
  Object.values<Endpoint>(endpoints).flatMap((endpoint) =>
    [endpoint.path, ...(endpoint.aliases ?? [])].map((path) => ({ ...endpoint, path })),
  ),
  ({ path }) => path,
);
