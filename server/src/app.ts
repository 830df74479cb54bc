import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { findAccountOfKey } from './accounts/api-key.ts';
import { type Caller, type Found, identify } from './accounts/identify.ts';
import { accountRoutes } from './accounts/routes.ts';
import { findSession, sessionKeyOf } from './accounts/sessions.ts';
import { cancelAfterClosing } from './billing/cancellation.ts';
import { billingRoutes } from './billing/routes.ts';
import type { Context } from './context.ts';
import { openHitCounter } from './delivery/hits.ts';
import { createLookUp } from './delivery/look-up.ts';
import { createLinkRefusals, openDelivery } from './delivery/routes.ts';
import { wakeAfterCalls } from './email/wake-after-calls.ts';
import { openEmailWorker } from './email/worker.ts';
import { deletionRoutes, fileRoutes } from './files/routes.ts';
import { createAccountQueues } from './http/account-queues.ts';
import { serveApiFallbacks, servePreflights } from './http/fallbacks.ts';
import { createApiCallLimit, uploadCalls } from './http/limit-api-calls.ts';
import { spend } from './http/rate-limits.ts';
import { logSecurityEvents } from './http/security-events.ts';
import { createServe, createServePlain, type ServeOptions } from './http/serve.ts';
import { withUnreadBodies } from './http/bodies.ts';
import { openHttpApp } from './http/http-app.ts';
import { emptyAccounts } from './jobs/empty-accounts.ts';
import { openJobs } from './jobs/open-jobs.ts';
import { scanPending } from './jobs/scan-pending.ts';
import { jobs } from './jobs/schedule.ts';
import { serveOpenApi } from './site/openapi.ts';
import { serveWebApp } from './site/web-app.ts';
import { serveWellKnown } from './site/well-known.ts';
import { resumableRoutes } from './uploads/resumable/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

/** For other calls with a key, the limit of their address is enough. */
const countedWithKey: ReadonlySet<Endpoint> = new Set<Endpoint>([
  endpoints.getFileList,
  endpoints.deleteFiles,
  endpoints.restoreFiles,
]);

/** A test supplies parts that it flushes or runs by hand. */
export async function buildApp(
  context: Context,
  {
    emailWorker = openEmailWorker(context),
    hits = openHitCounter(context),
    runningJobs = openJobs(context, jobs),
    onRoute = (_route: RouteOptions): void => {},
  } = {},
): Promise<FastifyInstance> {
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
  const app = openHttpApp(context, {
    admit: (request, reply) => callLimit.admit(request, reply),
    ...createLinkRefusals(context.config),
  });
  app.addHook('onRoute', onRoute);
  logSecurityEvents(app, context);
  const inTurn = createAccountQueues();
  const serveOptions: ServeOptions<Caller> = {
    app,
    context,
    async identify(credentials, request, endpoint) {
      const caller = await identify(context, credentials, {
        found: callLimit.found(request),
        countForm: (key) => callLimit.countForm(request, key),
      });
      credentials.client.logAccount(caller.account.id);
      if (caller.by === 'session' ? !uploadCalls.has(endpoint) : countedWithKey.has(endpoint))
        await spend(context, 'calls of account', caller.account.id);
      return caller;
    },
    inTurn: ({ account, by }, endpoint, work, incoming) =>
      inTurn(account.id, endpoint, work, incoming, by === 'session'),
  };
  const serve = createServe(serveOptions);
  const serveAndWake = wakeAfterCalls(serve, emailWorker);
  const billing = cancelAfterClosing(serveAndWake, context);
  openDelivery(app, context, { look: createLookUp(context.db), db: context.db, hits });
  for (const part of [emailWorker, runningJobs, billing.cancellations])
    app.addHook('onClose', () => part[Symbol.asyncDispose]());
  accountRoutes(billing.serve, context, () => runningJobs.runSoon(emptyAccounts));
  billingRoutes({ app, context, serve: serveAndWake, emailWorker });
  const scanSoon = () => runningJobs.runSoon(scanPending);
  withUnreadBodies(app, (scope) =>
    uploadRoutes({ serve, servePlain: createServePlain({ ...serveOptions, app: scope }) }, context, scanSoon),
  );
  resumableRoutes(createServePlain(serveOptions), context, scanSoon);
  fileRoutes(serve, context);
  deletionRoutes(app, context);
  servePreflights(app);
  serveApiFallbacks(app);
  serveOpenApi(app, context);
  serveWellKnown(app, context);
  await serveWebApp(app, context);
  return app;
}
