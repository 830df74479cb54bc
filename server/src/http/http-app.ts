import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { jsonBodyBytes, takeBodies } from './bodies.ts';
import { discardBody, discardUnwantedBody } from './body-deadlines.ts';
import { answerBrokenRequests, rememberPendingAnswers } from './broken-requests.ts';
import { manyClients, trustedProxies } from './client-address.ts';
import { connectionLimits, endStalledConnections, limitConnections } from './connections.ts';
import { sendFailure, toFailure } from './failures.ts';
import { respondNotFound } from './fallbacks.ts';
import { serveByHost } from './hosts.ts';
import { apiHeaders, guardedResponse } from './response-headers.ts';
import { prepareShutdown } from './shutdown.ts';
import { warnOfUnnamedProxy } from './unnamed-proxy.ts';

interface HttpAppParts {
  /** Refuses a request by throwing, before its body is read. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly refuseOnFileHost: (request: FastifyRequest, reply: FastifyReply) => void;
  /** A link that cannot be decoded leads to no file. */
  readonly refuseBrokenLink: (request: FastifyRequest, reply: FastifyReply) => void;
  /** The page that a person gets instead of a failure's JSON or text. */
  readonly showFailure: (
    request: FastifyRequest['raw'],
    status: number,
  ) => { readonly html: string; readonly headers: Readonly<Record<string, string>> } | undefined;
}

export function openHttpApp(
  context: Pick<Context, 'config' | 'log' | 'reports' | 'clock'>,
  { admit, refuseOnFileHost, refuseBrokenLink, showFailure }: HttpAppParts,
): FastifyInstance {
  const { config } = context;
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendFailure(reply, toFailure(error, request, context));
  const refuseUnread = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    discardUnwantedBody(request.raw);
    try {
      await admit(request, reply);
    } catch (refusal) {
      return fail(refusal, request, reply);
    }
    const isLink = isPublicFilePath(request.url) && (request.method === 'GET' || request.method === 'HEAD');
    if (isLink) return refuseBrokenLink(request, reply);
    const page = showFailure(request.raw, 400);
    // No hook of the app runs for an address that cannot be decoded.
    return page
      ? reply
          .code(400)
          .headers({ ...apiHeaders, ...page.headers })
          .send(page.html)
      : fail(error, request, reply);
  };
  const app = Fastify({
    logger: false,
    bodyLimit: jsonBodyBytes,
    requestTimeout: 0,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
      ServerResponse: guardedResponse(config),
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    exposeHeadRoutes: true,
    trustProxy: trustedProxies(config),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequests(config),
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void refuseUnread(error, request, reply),
  });
  limitConnections(app.server, manyClients(config), connectionLimits(config.workers));
  endStalledConnections(app.server);
  warnOfUnnamedProxy(app.server, context);
  rememberPendingAnswers(app);
  answerHealthChecks(app);
  serveByHost(app, context, refuseOnFileHost);
  app.addHook('onRequest', admit);
  takeBodies(app);
  app.setErrorHandler((error, request, reply) => {
    // The framework would close the connection on a rejected body.
    discardBody(request.raw);
    reply.removeHeader('connection');
    return fail(error, request, reply);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const isFailure = reply.statusCode >= 400 && /json|plain/.test(String(reply.getHeader('Content-Type')));
    const page = isFailure ? showFailure(request.raw, reply.statusCode) : undefined;
    if (page) reply.headers(page.headers);
    done(null, page ? page.html : payload);
  });
  app.setNotFoundHandler(respondNotFound);
  const closeConnections = prepareShutdown(app.server);
  app.addHook('preClose', async () => closeConnections());
  return app;
}

/** Before anything else: a health check knows an address and no name, and must not depend on a part that fails. */
function answerHealthChecks(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isHealthCheck = /^\/livez(?:\?|$)/.test(request.url) && /^(?:GET|HEAD)$/.test(request.method);
    if (!isHealthCheck) return done();
    discardUnwantedBody(request.raw);
    reply.headers(apiHeaders).type('text/plain; charset=utf-8').send('ok\n');
  });
}
