import { Failure } from '@holdfast/contract/src/errors.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { openHitCounter } from '../delivery/hits.ts';
import { createPlainLinks, openShortWay, type ShortWay } from '../delivery/plain-links.ts';
import { openDelivery, refuseOnFileHost } from '../delivery/routes.ts';
import { appOptions, thisMachine } from '../http/app-options.ts';
import { textResponse } from '../delivery/file-response.ts';
import { sendFromMemory } from '../delivery/send-response.ts';
import { takeBodies } from '../http/bodies.ts';
import { connectionLimits, endStalledConnections, limitConnections } from '../http/connections.ts';
import { discardBody, discardUnwantedBody } from '../http/body-deadlines.ts';
import { rememberPendingAnswers } from '../http/broken-requests.ts';
import { sendFailure, toFailure } from '../http/failures.ts';
import { respondNotFound } from '../http/fallbacks.ts';
import { isForPublicFiles, serveByHost } from '../http/hosts.ts';
import { prepareShutdown } from '../http/shutdown.ts';
import { processCounts } from '../lib/process-counts.ts';
import type { FilesContext } from './context.ts';
import { createMirrorLookUp } from './look-up.ts';

const healthPath = '/healthz';

export async function buildFilesApp(context: FilesContext, stopping?: AbortSignal): Promise<FastifyInstance> {
  const { config } = context;
  const app = Fastify(
    appOptions(config, async (error, request, reply) => {
      discardUnwantedBody(request.raw);
      return sendFailure(reply, toFailure(error, request, context));
    }),
  );
  let answerPlainLink: ShortWay | undefined;
  openShortWay(app.server, (request, response) => answerPlainLink?.(request, response) ?? false);
  const limiter = {
    trustProxy: [...config.trustProxy, ...thisMachine],
    onRefused: () => void (processCounts.refusedConnections += 1),
  };
  const limits = connectionLimits(config.workers);
  limitConnections(app.server, limiter, limits);
  rememberPendingAnswers(app);
  endStalledConnections(app.server);
  serveHealth(app, context, stopping);
  serveByHost(app, context, refuseOnFileHost);
  app.addHook('onRequest', (request, reply, done) =>
    isForPublicFiles(request) ? done() : refuse(context, request, reply),
  );
  takeBodies(app);
  app.setErrorHandler((error, request, reply) => {
    discardBody(request.raw);
    reply.removeHeader('connection');
    return sendFailure(reply, toFailure(error, request, context));
  });
  const closeConnections = prepareShutdown(app.server);
  app.addHook('preClose', async () => closeConnections());
  const hits = openHitCounter({ ...context, db: context.primary });
  const delivery = openDelivery(app, context, { look: createMirrorLookUp(context), hits });
  answerPlainLink = createPlainLinks(context, delivery.serveLink);
  app.addHook('onClose', () => delivery[Symbol.asyncDispose]());
  app.get('/robots.txt', respondNotFound);
  app.setNotFoundHandler(respondNotFound);
  return app;
}

/** For programs that decide to which region a client is sent. Many of them only know an address. */
function serveHealth(
  app: FastifyInstance,
  { config, replicaWatch }: Pick<FilesContext, 'config' | 'replicaWatch'>,
  stopping?: AbortSignal,
): void {
  const state = (): readonly [number, string] => {
    if (stopping?.aborted) return [503, 'stopping'];
    return replicaWatch.isFresh() || replicaWatch.problems.primary === null ? [200, 'ok'] : [503, 'unavailable'];
  };
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url } = request;
    if (url !== healthPath || (method !== 'GET' && method !== 'HEAD')) return done();
    discardUnwantedBody(request.raw);
    reply.hijack();
    const [status, word] = state();
    const policy = ['Cache-Control', 'no-store'];
    sendFromMemory(reply.raw, textResponse(method, status, [word, config.region ?? []].flat().join(' '), policy));
  });
}

/** RFC 9110, section 15.5.20. */
function refuse(
  { config: { origins } }: Pick<FilesContext, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  discardUnwantedBody(request.raw);
  sendFailure(
    reply,
    new Failure('MISDIRECTED', `This server only serves files. Everything else is at ${origins.app}.`),
  );
}
