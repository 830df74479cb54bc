/** Builds the HTTP app from the context: request-wide handling first, then the list of modules. */
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import { findAccountOfKey } from './accounts/api-key.ts';
import { type Caller, type Found, identify } from './accounts/identify.ts';
import { accountRoutes } from './accounts/routes.ts';
import { findSession, sessionKeyOf } from './accounts/sessions.ts';
import { cancelAfterClosing } from './billing/cancellation.ts';
import { billingRoutes } from './billing/routes.ts';
import type { Context } from './context.ts';
import { type HitCounter, openHitCounter } from './delivery/hits.ts';
import { createLookUp } from './delivery/look-up.ts';
import { createPlainLinks, openShortWay, type ShortWay } from './delivery/plain-links.ts';
import { openDelivery, refuseOnFileHost } from './delivery/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { appOptions, thisMachine } from './http/app-options.ts';
import { rememberPendingAnswers } from './http/broken-requests.ts';
import { takeBodies } from './http/bodies.ts';
import { connectionLimits, endStalledConnections, limitConnections } from './http/connections.ts';
import { discardBody, discardUnwantedBody } from './http/body-deadlines.ts';
import { sendFailure, toFailure } from './http/failures.ts';
import { respondNotFound, serveApiFallbacks, servePreflights } from './http/fallbacks.ts';
import { serveByHost } from './http/hosts.ts';
import { createApiCallLimit } from './http/limit-api-calls.ts';
import { createAccountQueues } from './http/account-queues.ts';
import { spend } from './http/limits.ts';
import { serveOpenApi } from './site/openapi.ts';
import { logSecurityEvents } from './http/security-events.ts';
import { createServe, takesMultipart } from './http/serve.ts';
import { serveWellKnown } from './site/well-known.ts';
import { prepareShutdown } from './http/shutdown.ts';
import { processCounts } from './lib/process-counts.ts';
import { serveWebApp } from './site/web-app.ts';
import { type Jobs, openJobs } from './jobs/open-jobs.ts';
import { emptyAccounts } from './jobs/empty-accounts.ts';
import { scanPending } from './jobs/scan-pending.ts';
import { jobs } from './jobs/schedule.ts';
import { openEmailWorker, type EmailWorker } from './email/worker.ts';
import { wakeAfterCalls } from './email/wake-after-calls.ts';
import { uploadRoutes } from './uploads/routes.ts';

/** Parts that a test supplies, to flush or run them by hand, and a callback for each added route. */
export interface AppParts {
  readonly emailWorker?: EmailWorker;
  readonly hits?: HitCounter;
  readonly runningJobs?: Omit<Jobs, 'tick'>;
  readonly onRoute?: (route: RouteOptions) => void;
}

/** For other calls with a key, the limit of their address is enough. */
const countedWithKey: ReadonlySet<Endpoint> = new Set<Endpoint>([endpoints.getFileList, endpoints.deleteFiles]);

export async function buildApp(context: Context, parts: AppParts = {}): Promise<FastifyInstance> {
  const {
    emailWorker = openEmailWorker(context),
    hits = openHitCounter(context),
    runningJobs = openJobs(context, jobs),
    onRoute,
  } = parts;
  const callLimit = createApiCallLimit<Found>(context, {
    sessionKeyOf,
    async findSession(cookies) {
      const session = await findSession(context, cookies);
      return session && { by: 'session', session };
    },
    async findKey(apiKey) {
      const account = await findAccountOfKey(context, apiKey);
      return account && { by: 'key', account };
    },
  });
  const refuseUnreadable = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = (problem: unknown) => sendFailure(reply, toFailure(problem, request, context));
    discardUnwantedBody(request.raw);
    try {
      await callLimit.admit(request, reply);
    } catch (refusal) {
      return answer(refusal);
    }
    return answer(error);
  };
  const app = Fastify(appOptions(context.config, refuseUnreadable));
  let answerPlainLink: ShortWay | undefined;
  openShortWay(app.server, (request, response) => answerPlainLink?.(request, response) ?? false);
  if (onRoute) app.addHook('onRoute', onRoute);
  const limits = connectionLimits(context.config.workers);
  const limiter = {
    trustProxy: [...context.config.trustProxy, ...thisMachine],
    onRefused: () => (processCounts.refusedConnections += 1),
  };
  limitConnections(app.server, limiter, limits);
  rememberPendingAnswers(app);
  logSecurityEvents(app, context);
  endStalledConnections(app.server);
  serveByHost(app, context, refuseOnFileHost);
  app.addHook('onRequest', callLimit.admit);
  takeBodies(app);
  app.setErrorHandler((error, request, reply) => {
    // The framework would close the connection on a rejected body.
    discardBody(request.raw);
    reply.removeHeader('connection');
    return sendFailure(reply, toFailure(error, request, context), takesMultipart(request));
  });
  const closeConnections = prepareShutdown(app.server);
  app.addHook('preClose', async () => closeConnections());

  const inTurn = createAccountQueues();
  const serve = createServe<Caller>({
    app,
    context,
    async identify(credentials, request, endpoint) {
      const caller = await identify(context, credentials, callLimit.found(request));
      credentials.client.logAccount(caller.account.id);
      if (caller.by === 'session' || countedWithKey.has(endpoint))
        await spend(context, 'calls of account', caller.account.id);
      return caller;
    },
    inTurn: ({ account }, endpoint, work, incoming) => inTurn(account.id, endpoint, work, incoming),
  });
  const delivery = openDelivery(app, context, { look: createLookUp(context.db), hits });
  answerPlainLink = createPlainLinks(context, delivery.serveLink);
  app.addHook('onClose', () => delivery[Symbol.asyncDispose]());
  app.addHook('onClose', () => emailWorker[Symbol.asyncDispose]());
  app.addHook('onClose', () => runningJobs[Symbol.asyncDispose]());
  const billing = cancelAfterClosing(wakeAfterCalls(serve, emailWorker), context);
  app.addHook('onClose', () => billing.cancellations[Symbol.asyncDispose]());
  accountRoutes(billing.serve, context, () => runningJobs.runSoon(emptyAccounts));
  billingRoutes({ app, context, serve: wakeAfterCalls(serve, emailWorker), emailWorker });
  uploadRoutes(serve, context, () => runningJobs.runSoon(scanPending));
  fileRoutes(serve, context);
  servePreflights(app);
  serveApiFallbacks(app);
  serveOpenApi(app, context);
  serveWellKnown(app, context);
  await serveWebApp(app, context);
  app.setNotFoundHandler(respondNotFound);
  return app;
}
