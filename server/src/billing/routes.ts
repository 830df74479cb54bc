import { Failure } from '@holdfast/contract/src/errors.ts';
import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/identify.ts';
import { openSessionOf } from '../accounts/sessions.ts';
import type { Context } from '../context.ts';
import type { EmailWorker } from '../email/worker.ts';
import {
  ForgedEvent,
  type PaymentEvent,
  PaymentsUnavailable,
  signatureIsValidFor,
} from '../services/payments/payments.ts';
import { openCookieJar } from '../http/cookies.ts';
import { sendFailure, toFailure } from '../http/failures.ts';
import { giveBack, spend } from '../http/rate-limits.ts';
import { apiHeaders } from '../http/response-headers.ts';
import { withRawBodies } from '../http/bodies.ts';
import { isSameSiteNavigation } from '../http/same-site.ts';
import type { Serve } from '../http/serve.ts';
import { alarmIfPaidAfterClosing, cancelSubscription } from './cancellation.ts';
import { buyPlan, managePlan, pollAfterCheckout, problemPage } from './checkout.ts';
import { noteOnce, refreshSubscription } from './snapshots.ts';
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
  leadToPlans(app, context);
  if (context.config.payments.engine !== 'none') takeEvents(app, context, emailWorker);
}

/** People open this path in their browser, so it redirects to a page whatever happens. */
function leadToPlans(app: FastifyInstance, context: Context): void {
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { code } = toFailure(error, request, context);
    return goOn(reply, problemPage(context, code === 'RATE_LIMITED' ? 'busy' : 'unavailable'));
  };
  app.get(subscriptionPath, { config: { isBrowserRedirect: true }, errorHandler }, async (request, reply) => {
    if (isPrefetch(request)) return sendFailure(reply, new Failure('UNAVAILABLE'));
    if (request.method === 'HEAD' || !isSameSiteNavigation(request.headers, context.config.publicUrl))
      return goOn(reply, problemPage(context, 'other-site'));
    return goOn(reply, await planPage(context, request));
  });
}

const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((value) => /^prefetch\b/.test(String(value)));

const goOn = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(303).headers(apiHeaders).header('Location', address).send();

async function planPage(context: Context, request: FastifyRequest): Promise<string> {
  const cookies = openCookieJar(request.headers.cookie, context.config.origins.app, () => {});
  const session = await openSessionOf(context, cookies, { address: request.ip });
  if (!session || session.isPrevious) return '/sign-in';
  const { account } = session;
  await spend(context, 'plan visits', account.id);
  const { plan, account: shown } = request.query as Readonly<Record<string, unknown>>;
  // Another tab may have signed in to another account since the page was drawn.
  if (shown !== undefined && shown !== account.id) return problemPage(context, 'other-account');
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

const longestEvent = 256 * 1024;

const wellFormed = /^t=(\d{1,12})(?:,v\d=[0-9a-f]{64}){1,5}$/;

function takeEvents(app: FastifyInstance, context: Context, emailWorker: Pick<EmailWorker, 'wake'>): void {
  const refuse = async (request: FastifyRequest) => {
    await spend(context, 'payment events', request.ip);
    const [, time] = wellFormed.exec(signatureOf(request)) ?? [];
    if (time === undefined) throw new Failure('INVALID_INPUT', 'A signature is missing.');
    if (Number(time) * 1_000 < context.clock.now() - signatureIsValidFor)
      throw new Failure('INVALID_INPUT', 'The signature is too old.');
  };
  withRawBodies(app, { mostBytes: longestEvent, refuse }, (raw) => {
    raw.post(paymentEventsPath, { config: { countsCalls: false } }, async (request, reply) => {
      const event = readEvent(context, request);
      await giveBack(context, 'payment events', request.ip);
      await handleEvent(context, event);
      emailWorker.wake();
      return reply.headers(apiHeaders).send({ success: true });
    });
  });
}

const signatureOf = ({ headers }: FastifyRequest) => String(headers['stripe-signature'] ?? '');

function readEvent({ payments }: Context, request: FastifyRequest): PaymentEvent {
  const { body } = request;
  try {
    return payments.readEvent(Buffer.isBuffer(body) ? body : Buffer.alloc(0), signatureOf(request));
  } catch (error) {
    if (error instanceof ForgedEvent) throw new Failure('INVALID_INPUT', error.message, { cause: error });
    throw error;
  }
}

/** It is recorded as handled only afterwards, so a failed one is handled when the provider sends it again. */
async function handleEvent(context: Context, { id, type, customerId, paid }: PaymentEvent): Promise<void> {
  const { db, log } = context;
  if (customerId === null) return;
  if (await db.selectFrom('payment_events').select('id').where('id', '=', id).executeTakeFirst()) return;
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select(['accounts.id', 'closed_at'])
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!row) return log.info({ event: id, type, customer: customerId }, 'a payment event matches no account');
  if (paid) await alarmIfPaidAfterClosing(context, row, paid);
  try {
    const applied = await refreshSubscription(context, { accountId: row.id, customerId });
    // A payment may have been made at the moment of the account's deletion.
    if (applied?.closed) await cancelSubscription(context, row.id);
  } catch (error) {
    if (error instanceof PaymentsUnavailable) throw new Failure('UNAVAILABLE', undefined, { cause: error });
    throw error;
  }
  await noteOnce(context, id, type);
}
