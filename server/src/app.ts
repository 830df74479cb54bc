/** Builds the HTTP app from the context: request-wide handling first, then the list of modules. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import { createAccountTurns, pauseAfterRead } from './accounts/account-turns.ts';
import { findAccountOfKey, type Found, identify } from './accounts/identify.ts';
import type { BlobMemory } from './engines/blobs/blob-memory.ts';
import { accountRoutes } from './accounts/routes.ts';
import { findSession, sessionKeyOf } from './accounts/sessions.ts';
import { cancelAfterClosing } from './billing/cancel-after-closing.ts';
import { billingRoutes } from './billing/routes.ts';
import type { Context } from './context.ts';
import { openDelivery, refuseOnFileHost } from './delivery/routes.ts';
import { limitAccountCalls } from './files/limit-account-calls.ts';
import { fileRoutes } from './files/routes.ts';
import { answerBrokenRequests, rememberPendingAnswers } from './http/broken-requests.ts';
import { sendFailure, toFailure } from './http/failures.ts';
import { answerUnrouted, serveApiFallbacks } from './http/fallbacks.ts';
import { guardedResponse } from './http/guarded-response.ts';
import { serveByHost } from './http/hosts.ts';
import { admitApiCall, limitApiCalls } from './http/limit-api-calls.ts';
import { serveOpenApi } from './http/openapi.ts';
import { limitConnections } from './http/limit-connections.ts';
import { limitProxiedRequests } from './http/limit-proxied-requests.ts';
import { limitPipelining } from './http/pipelining.ts';
import { servePreflights } from './http/preflight.ts';
import { createRateLimit } from './http/api-rate-limit.ts';
import { answerAsRead } from './http/bytes/answer-as-read.ts';
import { endSlowReaders } from './http/bytes/slow-readers.ts';
import { discardRestOfBody, discardUnwantedBody } from './http/refused-body.ts';
import { takeBodies } from './http/request-bodies.ts';
import { createRequestNotes } from './http/request-notes.ts';
import { logSecurityEvents } from './http/security-events.ts';
import { createServe, takesMultipart } from './http/serve.ts';
import { serveWellKnown } from './site/well-known.ts';
import { prepareShutdown } from './http/shutdown.ts';
import { serveWebApp } from './site/web-app.ts';
import { type Maintenance, openMaintenance } from './maintenance/open-maintenance.ts';
import { emptyAccounts } from './maintenance/jobs/empty-accounts.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import { scanPendingJob } from './maintenance/jobs/scan-pending.ts';
import { jobs } from './maintenance/schedule.ts';
import { openEmailWorker, type EmailWorker } from './email/worker.ts';
import { wakeAfterCalls } from './email/wake-after-calls.ts';
import { uploadRoutes } from './uploads/routes.ts';

/** Twice the longest call, which deletes 500 files. Strangers can let this much wait on each connection. */
const jsonBodyBytes = 64 * 1024;

/**
 * Parts that a test supplies: an email worker it can flush, maintenance it runs by hand, and a callback for each added
 * route. The process supplies the last one.
 */
export interface AppParts {
  readonly emailWorker?: EmailWorker;
  readonly maintain?: (memory: BlobMemory) => Maintenance;
  readonly onRoute?: (route: RouteOptions) => void;
  /** Aborted when the process is about to stop, some time before the app is closed. */
  readonly stopping?: AbortSignal;
}

/** Of one account. Its sessions may make 128 calls at once. */
const mostReadsWaiting = 16;
const mostWritesWaiting = 128;

/** A reverse proxy on this machine carries many clients, also one that `TRUST_PROXY` does not name. */
const thisMachine = ['127.0.0.0/8', '::1'];

export async function buildApp(context: Context, parts: AppParts = {}): Promise<FastifyInstance> {
  const {
    emailWorker = openEmailWorker(context),
    maintain = (memory) => openMaintenance(context, memory, jobs),
    onRoute,
    stopping,
  } = parts;
  const foundCallers = createRequestNotes<Found>(context.clock);
  const rateLimit = createRateLimit(context, {
    sessionKeyOf,
    async isOpenSession(request, cookies) {
      const session = await findSession(context, cookies);
      if (session) foundCallers.add(request, { by: 'session', session });
      return session !== undefined;
    },
    async isValidKey(request, apiKey) {
      const account = await findAccountOfKey(context, apiKey);
      if (account) foundCallers.add(request, { by: 'key', account });
      return account !== undefined;
    },
  });
  const refuseUnreadable = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = (problem: unknown) => sendFailure(reply, toFailure(problem, request, context));
    discardUnwantedBody(request.raw);
    try {
      await admitApiCall(rateLimit, request, reply);
    } catch (refusal) {
      return answer(refusal);
    }
    return answer(error);
  };
  const app = Fastify({
    logger: false,
    bodyLimit: jsonBodyBytes,
    // An upload may take hours while data arrives; `watchSlowBody` ends stalled ones.
    requestTimeout: 0,
    http: {
      headersTimeout: 10_000,
      // Interval at which Node checks for slow headers; its default is twice a minute.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
      ServerResponse: guardedResponse(context.config),
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    exposeHeadRoutes: true,
    trustProxy: context.config.trustProxy.length > 0 ? [...context.config.trustProxy] : false,
    forceCloseConnections: 'idle',
    // A call that still arrives on a kept-alive connection is answered like any other.
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequests(context.config),
    frameworkErrors: (error, request, reply) => void refuseUnreadable(error, request, reply),
  });
  if (onRoute) app.addHook('onRoute', onRoute);
  limitConnections(app.server, {
    trustProxy: [...context.config.trustProxy, ...thisMachine],
    onRefused: () => (context.tally.refusedConnections += 1),
  });
  limitPipelining(app);
  if (context.config.trustProxy.length > 0) limitProxiedRequests(app);
  rememberPendingAnswers(app);
  logSecurityEvents(app, context);
  endSlowReaders(app.server);
  answerAsRead(app);
  serveByHost(app, context, refuseOnFileHost);
  limitApiCalls(app, rateLimit);
  takeBodies(app);
  app.setErrorHandler((error, request, reply) => {
    // The framework would close the connection on a rejected body; reading the rest lets the client receive the
    // response.
    discardRestOfBody(request.raw);
    reply.removeHeader('connection');
    return sendFailure(reply, toFailure(error, request, context), takesMultipart(request));
  });
  const closeConnections = prepareShutdown(app.server, stopping);
  app.addHook('preClose', async () => closeConnections());

  const writeInTurn = createAccountTurns(mostWritesWaiting);
  const serve = createServe({
    app,
    context,
    async identify(credentials, request) {
      const caller = await identify(context, credentials, foundCallers.read(request));
      credentials.client.concerns(caller.account.id);
      return caller;
    },
    admit: (caller, endpoint, input) => limitAccountCalls(context, caller, endpoint, input),
    changeInTurn: ({ account }, work) => writeInTurn(account.id, work),
  });
  const delivery = openDelivery(app, context);
  const maintenance = maintain(delivery.memory);
  app.addHook('onClose', () => delivery[Symbol.asyncDispose]());
  app.addHook('onClose', () => emailWorker[Symbol.asyncDispose]());
  app.addHook('onClose', () => maintenance[Symbol.asyncDispose]());
  const billing = cancelAfterClosing(wakeAfterCalls(serve, emailWorker), context);
  app.addHook('onClose', () => billing.cancellations[Symbol.asyncDispose]());
  accountRoutes(billing.serve, context, () => maintenance.runSoon(emptyAccounts));
  billingRoutes({ app, context, serve: wakeAfterCalls(serve, emailWorker), emailWorker });
  uploadRoutes(serve, context, delivery.memory, () => maintenance.runSoon(scanPendingJob));
  const readInTurn = createAccountTurns(mostReadsWaiting, pauseAfterRead);
  fileRoutes(serve, context, delivery.memory, readInTurn);
  maintenanceRoutes(serve, context, readInTurn);
  servePreflights(app);
  serveApiFallbacks(app);
  serveOpenApi(app, context);
  serveWellKnown(app, context);
  await serveWebApp(app, context);
  app.setNotFoundHandler(answerUnrouted);
  return app;
}
