import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../accounts/identify.ts';
import { openSessionOf } from '../accounts/sessions.ts';
import type { Context } from '../context.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { apiHeaders } from '../http/failures.ts';
import { withRawBodies } from '../http/raw-bodies.ts';
import type { Serve } from '../http/serve.ts';
import { serveVisit, type Visit } from '../http/serve-visit.ts';
import type { Post } from '../post/send-letters.ts';
import { buyPlan } from './buy-plan.ts';
import { handleEvent } from './handle-event.ts';
import { limitVisits } from './limit-visits.ts';
import { managePlan, problemPage } from './manage-plan.ts';
import { noticePayment } from './notice-payment.ts';
import { ownSubscription } from './own-subscription.ts';

export interface BillingParts {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly serve: Serve<Caller>;
  readonly post: Pick<Post, 'wake'>;
}

/** The largest event is a long invoice; the provider's stay far below this. */
const longestEvent = 1024 * 1024;

export function billingRoutes({ app, context, serve, post }: BillingParts): void {
  serve('getSubscription', async ({ caller }) => {
    await noticePayment(context, caller.account.id);
    return { subscription: await ownSubscription(context, caller.account.id) };
  });

  serveVisit(app, context, {
    path: subscriptionPath,
    lead: (visit) => leadToPlan(context, visit),
    fromElsewhere: problemPage('other-site'),
    onFailure: ({ code }) => problemPage(code === 'RATE_LIMITED' ? 'busy' : 'unavailable'),
  });

  withRawBodies(app, longestEvent, (raw) => {
    raw.post(paymentEventsPath, { config: { countsCalls: false } }, async ({ body, headers }, reply) => {
      const signature = headers['stripe-signature'];
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      await handleEvent(context, bytes, typeof signature === 'string' ? signature : undefined);
      post.wake();
      return reply.headers(apiHeaders).send({ success: true });
    });
  });
}

const signInPage = '/sign-in';

async function leadToPlan(context: Context, { query, cookies, address }: Visit): Promise<string> {
  const session = await openSessionOf(context, cookies, { address });
  if (!session) return signInPage;
  await limitVisits(context, session.account.id);
  const { plan } = query;
  try {
    return plan === undefined
      ? await managePlan(context, session.account)
      : await buyPlan(context, session.account, typeof plan === 'string' ? plan : '');
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    context.log.warn({ err: error }, 'the payment provider could not be asked, so somebody could not go on');
    return problemPage('unavailable');
  }
}
