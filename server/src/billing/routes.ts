import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/identify.ts';
import { openSessionOf } from '../accounts/sessions.ts';
import type { Context } from '../context.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { apiHeaders } from '../http/failures.ts';
import { withRawBodies } from '../http/raw-bodies.ts';
import type { Serve } from '../http/serve.ts';
import { serveBrowserRedirect, type BrowserRedirect } from '../http/browser-redirect.ts';
import type { EmailWorker } from '../email/worker.ts';
import { admitEvent, forgiveEvent } from './admit-event.ts';
import { buyPlan } from './buy-plan.ts';
import { handleEvent, readEvent } from './handle-event.ts';
import { limitBillingRedirects } from './limit-billing-redirects.ts';
import { managePlan, problemPage } from './manage-plan.ts';
import { pollAfterCheckout } from './poll-after-checkout.ts';
import { ownSubscription } from './own-subscription.ts';

export interface BillingParts {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly serve: Serve<Caller>;
  readonly emailWorker: Pick<EmailWorker, 'wake'>;
}

/** The largest event is a long invoice; the provider's events are far below this limit. */
const longestEvent = 256 * 1024;

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

  if (context.config.payments.engine !== 'none') takeEvents({ app, context, emailWorker });
}

function takeEvents({ app, context, emailWorker }: Omit<BillingParts, 'serve'>): void {
  const refuse = (request: FastifyRequest) => admitEvent(context, request.ip, signatureOf(request));
  withRawBodies(app, { mostBytes: longestEvent, refuse }, (raw) => {
    raw.post(paymentEventsPath, { config: { countsCalls: false } }, async (request, reply) => {
      const { body } = request;
      const event = readEvent(context, Buffer.isBuffer(body) ? body : Buffer.alloc(0), signatureOf(request));
      await forgiveEvent(context, request.ip);
      await handleEvent(context, event);
      emailWorker.wake();
      return reply.headers(apiHeaders).send({ success: true });
    });
  });
}

const signatureOf = ({ headers }: FastifyRequest) => String(headers['stripe-signature'] ?? '');

const signInPage = '/sign-in';

async function leadToPlan(context: Context, { query, cookies, address }: BrowserRedirect): Promise<string> {
  const session = await openSessionOf(context, cookies, { address });
  if (!session) return signInPage;
  await limitBillingRedirects(context, session.account.id);
  const { plan } = query;
  try {
    return plan === undefined
      ? await managePlan(context, session.account)
      : await buyPlan(context, session.account, typeof plan === 'string' ? plan : '');
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    context.log.warn({ err: error }, 'the payment provider did not respond, so a browser redirect failed');
    return problemPage(context, 'unavailable');
  }
}
