import { Failure } from '@holdfast/contract/src/errors.ts';
import { subscriptionPath } from '@holdfast/contract/src/plans.ts';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../accounts/identify.ts';
import { openSessionOf } from '../accounts/sessions.ts';
import type { Context } from '../context.ts';
import type { EmailWorker } from '../email/worker.ts';
import type { Limit } from '../engines/counters/counters.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { type BrowserRedirect, serveBrowserRedirect } from '../http/browser-redirect.ts';
import type { Serve } from '../http/serve.ts';
import { seconds } from '../lib/clock.ts';
import { buyPlan, managePlan, pollAfterCheckout, problemPage } from './checkout.ts';
import { takeEvents } from './events.ts';
import { ownSubscription } from './subscription.ts';

export interface BillingParts {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly serve: Serve<Caller>;
  readonly emailWorker: Pick<EmailWorker, 'wake'>;
}

export function billingRoutes({ app, context, serve, emailWorker }: BillingParts): void {
  serve('getSubscription', async ({ caller }) => {
    await pollAfterCheckout(context, caller.account.id);
    return { subscription: await ownSubscription(context, caller.account.id) };
  });
  serveBrowserRedirect(app, context, {
    path: subscriptionPath,
    lead: (redirect) => leadToPlan(context, redirect),
    fromElsewhere: problemPage(context, 'other-site'),
    onFailure: ({ code }) => problemPage(context, code === 'RATE_LIMITED' ? 'busy' : 'unavailable'),
  });
  if (context.config.payments.engine !== 'none') takeEvents(app, context, emailWorker);
}

/** Each visit sends up to half a dozen requests to the provider, whose rate limit is shared by all buyers. */
const visitsPerAccount: Limit = { capacity: 20, everyMs: seconds(6) };

async function leadToPlan(context: Context, { query, cookies, address }: BrowserRedirect): Promise<string> {
  const session = await openSessionOf(context, cookies, { address });
  if (!session) return '/sign-in';
  const { account } = session;
  const { allowed } = await context.counters.take(`plan visits of ${account.id}`, visitsPerAccount);
  if (!allowed) throw new Failure('RATE_LIMITED');
  const { plan } = query;
  try {
    return plan === undefined
      ? await managePlan(context, account)
      : await buyPlan(context, account, typeof plan === 'string' ? plan : '');
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    context.log.warn({ err: error }, 'the payment provider did not respond, so a browser redirect failed');
    return problemPage(context, 'unavailable');
  }
}
