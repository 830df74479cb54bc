import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import { uploadEndpoints } from '@holdfast/contract/src/upload-endpoints.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { discardBody, hurriedMs } from './body-deadlines.ts';
import { isForUpload, pathOf, sendFailure } from './failures.ts';
import { howToUpload } from './multipart.ts';
import { preflightHeaders } from './response-headers.ts';

export function servePreflights(app: FastifyInstance): void {
  const ofKeys = [...Object.values<Endpoint>(endpoints), ...Object.values<Endpoint>(uploadEndpoints)].filter(
    ({ access }) => access === 'account',
  );
  const byPath = Map.groupBy(
    ofKeys.flatMap((endpoint) => [endpoint.path, ...(endpoint.aliases ?? [])].map((url) => ({ endpoint, url }))),
    ({ url }) => url,
  );
  for (const [url, all] of byPath) {
    const headers = preflightHeaders(all.map(({ endpoint }) => endpoint));
    app.options(url, (_request, reply) => reply.code(204).headers(headers).send());
  }
}

export function serveApiFallbacks(app: FastifyInstance): void {
  for (const url of [apiRoot, `${apiRoot}/*`]) app.all(url, { onRequest: respondNotFound }, respondNotFound);
}

export async function respondNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // Its sender may have meant an upload, and should see the response.
  discardBody(request.raw, hurriedMs);
  const path = pathOf(request);
  const allowed = allowedMethods(request, path);
  const message = isForUpload(path) ? howToUpload : undefined;
  if (allowed.length === 0 || allowed.includes(request.method))
    return sendFailure(reply, new Failure('NOT_FOUND', message));
  reply.header('Allow', allowed.join(', '));
  return sendFailure(reply, new Failure('METHOD_NOT_ALLOWED', message));
}

function allowedMethods({ url, server }: FastifyRequest, path: string): readonly string[] {
  if (isPublicFilePath(url)) return ['GET', 'HEAD', 'OPTIONS'];
  if (path === apiRoot) return [];
  if (!path.startsWith(`${apiRoot}/`)) return ['GET', 'HEAD'];
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => server.hasRoute({ method, url: path }));
}
