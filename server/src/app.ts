/** The context → the HTTP app: what surrounds every request, then the list of modules. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import { identify } from './accounts/identify.ts';
import type { Memory } from './accounts/close-account.ts';
import { accountRoutes } from './accounts/routes.ts';
import { openSessionOf, sessionKeyOf } from './accounts/sessions.ts';
import { endAfterClosing } from './billing/end-after-closing.ts';
import { billingRoutes } from './billing/routes.ts';
import type { Context } from './context.ts';
import { openDelivery, refuseOnFileHost } from './delivery/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { answerBrokenRequest, rememberPendingAnswers } from './http/broken-requests.ts';
import { sendFailure, toFailure } from './http/failures.ts';
import { answerUnrouted, serveApiFallbacks } from './http/fallbacks.ts';
import { serveByHost } from './http/hosts.ts';
import { admitApiCall, limitApiCalls } from './http/limit-api-calls.ts';
import { serveOpenApi } from './http/openapi.ts';
import { limitPipelining } from './http/pipelining.ts';
import { servePreflights } from './http/preflight.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { discardRestOfBody } from './http/refused-body.ts';
import { takeBodies } from './http/request-bodies.ts';
import { createServe, takesMultipart } from './http/serve.ts';
import { serveMachines } from './http/serve-machines.ts';
import { prepareShutdown } from './http/shutdown.ts';
import { serveWebApp } from './http/web-app.ts';
import { type Maintenance, openMaintenance } from './maintenance/open-maintenance.ts';
import { emptyAccounts } from './maintenance/empty-accounts.ts';
import { scanPending } from './maintenance/scan-pending.ts';
import { jobs } from './maintenance/schedule.ts';
import { openPost, type Post } from './post/send-letters.ts';
import { wakeAfterCalls } from './post/wake-after-calls.ts';

const jsonBodyBytes = 256 * 1024;

/** What a test brings along: the post that it can hurry, maintenance by hand, and an ear for every route as it is added. */
export interface AppParts {
  readonly post?: Post;
  readonly maintain?: (memory: Memory) => Maintenance;
  readonly onRoute?: (route: RouteOptions) => void;
}

export async function buildApp(context: Context, parts: AppParts = {}): Promise<FastifyInstance> {
  const { post = openPost(context), maintain = (memory) => openMaintenance(context, memory, jobs), onRoute } = parts;
  const rateLimit = createRateLimit(context, {
    keyOf: sessionKeyOf,
    isOpen: async (cookies, address) => (await openSessionOf(context, cookies, { address })) !== undefined,
  });
  const refuseUnreadable = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = (problem: unknown) => sendFailure(reply, toFailure(problem, request, context));
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
    // An upload may take hours while it moves; `watchSlowBody` ends those that do not.
    requestTimeout: 0,
    http: {
      headersTimeout: 10_000,
      // How often Node looks for headers that take too long: by itself twice a minute.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    exposeHeadRoutes: true,
    trustProxy: context.config.trustProxy.length > 0 ? [...context.config.trustProxy] : false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void refuseUnreadable(error, request, reply),
  });
  if (onRoute) app.addHook('onRoute', onRoute);
  limitPipelining(app);
  rememberPendingAnswers(app);
  serveByHost(app, context, refuseOnFileHost);
  limitApiCalls(app, rateLimit);
  takeBodies(app);
  app.setErrorHandler((error, request, reply) => {
    // The framework would close the connection on a body that it refuses; reading the rest lets the client see the answer.
    discardRestOfBody(request.raw);
    reply.removeHeader('connection');
    return sendFailure(reply, toFailure(error, request, context), takesMultipart(request));
  });
  const closeConnections = prepareShutdown(app.server);
  app.addHook('preClose', async () => closeConnections());

  const serve = createServe({ app, context, identify: (credentials) => identify(context, credentials) });
  const delivery = openDelivery(app, context);
  const maintenance = maintain({
    forget: (ids) => delivery.cache.forget(ids),
    writeAccesses: () => delivery.writeHits(),
  });
  app.addHook('onClose', () => delivery[Symbol.asyncDispose]());
  app.addHook('onClose', () => post[Symbol.asyncDispose]());
  app.addHook('onClose', () => maintenance[Symbol.asyncDispose]());
  const billing = endAfterClosing(wakeAfterCalls(serve, post), context);
  app.addHook('onClose', () => billing.endings[Symbol.asyncDispose]());
  accountRoutes(billing.serve, context, () => maintenance.runSoon(emptyAccounts));
  billingRoutes({ app, context, serve: wakeAfterCalls(serve, post), post });
  fileRoutes(serve, context, delivery.cache, () => maintenance.runSoon(scanPending));
  servePreflights(app);
  serveApiFallbacks(app);
  serveOpenApi(app, context);
  serveMachines(app, context);
  await serveWebApp(app, context);
  app.setNotFoundHandler(answerUnrouted);
  return app;
}
