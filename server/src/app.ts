/** The context → the HTTP app: what surrounds every request, then the list of modules. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { identify } from './accounts/identify.ts';
import { accountRoutes } from './accounts/routes.ts';
import type { Context } from './context.ts';
import { openHitCounter } from './files/hits.ts';
import { fileRoutes } from './files/routes.ts';
import { answerBrokenRequest } from './http/broken-requests.ts';
import { sendFailure, toFailure } from './http/failures.ts';
import { serveApiFallbacks } from './http/fallbacks.ts';
import { servePreflights } from './http/preflight.ts';
import { discardRestOfBody } from './http/refused-body.ts';
import { createServe, takesMultipart } from './http/serve.ts';
import { closeConnectionsAsTheyFallIdle } from './http/shutdown.ts';
import { watchSlowBody } from './http/slow-body.ts';
import { serveWebApp } from './http/web-app.ts';

const jsonBodyBytes = 256 * 1024;

export async function buildApp(context: Context): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: jsonBodyBytes,
    // An upload may take hours while it moves; `watchSlowBody` ends those that do not.
    requestTimeout: 0,
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024, requireHostHeader: true },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => sendFailure(reply, toFailure(error, request, context.log)),
  });
  app.addHook('onRequest', async (request) => {
    if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
      watchSlowBody(request.raw);
  });
  // The upload reads its body itself; any other body that is not JSON is refused by the framework.
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) =>
    done(takesMultipart(request) ? null : new Failure('UNSUPPORTED_MEDIA_TYPE')),
  );
  app.setErrorHandler((error, request, reply) => {
    // The framework would close the connection on a body that it refuses; reading the rest lets the client see the answer.
    discardRestOfBody(request.raw);
    reply.removeHeader('connection');
    return sendFailure(reply, toFailure(error, request, context.log), takesMultipart(request));
  });
  app.addHook('preClose', async () => closeConnectionsAsTheyFallIdle(app.server));

  const serve = createServe({ app, context, identify: (credentials) => identify(context, credentials) });
  const hits = openHitCounter(context);
  app.addHook('onClose', () => hits[Symbol.asyncDispose]());
  accountRoutes(serve, context);
  fileRoutes(serve, app, context, hits);
  servePreflights(app);
  serveApiFallbacks(app);
  await serveWebApp(app, context);
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, new Failure('NOT_FOUND')));
  return app;
}
