import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './failures.ts';
import { methodsOf } from './methods-of.ts';
import { discardRestOfBody } from './refused-body.ts';

/** Every answer under `/api` is JSON: an unknown path is 404, a known one with a wrong method 405 with `Allow`. */
export function serveApiFallbacks(app: FastifyInstance): void {
  // Refused before the body is looked at: what it holds does not matter here.
  for (const url of [apiRoot, `${apiRoot}/*`]) app.all(url, { onRequest: answerUnrouted }, answerUnrouted);
}

/** What no route answers: a method that its path does not take, or a path that is nothing. */
export async function answerUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  discardRestOfBody(request.raw);
  const path = request.url.split('?', 1)[0] ?? '';
  const api = path === apiRoot || path.startsWith(`${apiRoot}/`);
  const known = byPath.get(path);
  const others = isPublicFilePath(request.url) ? ['GET', 'HEAD', 'OPTIONS'] : ['GET', 'HEAD'];
  const allowed = api ? (known?.flatMap(methodsOf) ?? beyondTheContract.get(path)) : others;
  const asText = known?.some(({ bodyType }) => bodyType === 'multipart') ?? false;
  if (!allowed || allowed.includes(request.method)) return sendFailure(reply, new Failure('NOT_FOUND'));
  return sendFailure(reply.header('Allow', allowed.join(', ')), new Failure('METHOD_NOT_ALLOWED'), asText);
}

/** What a browser goes to and what a provider calls are no calls of the API. */
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
