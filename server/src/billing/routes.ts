import { Failure } from '@holdfast/contract/src/errors.ts';
import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/identify.ts';
import { openSessionOf } from '../accounts/sessions.ts';
import type { Context } from '../context.ts';
import type { EmailWorker } from '../email/worker.ts';
import type { Limit } from '../storage/counters/counters.ts';
import { ForgedEvent, type PaymentEvent, PaymentsUnavailable } from '../services/payments/payments.ts';
import { type BrowserRedirect, serveBrowserRedirect } from '../http/browser-redirect.ts';
import { clientKey } from '../http/client-address.ts';
import { apiHeaders } from '../http/failures.ts';
import { withRawBodies } from '../http/raw-bodies.ts';
import type { Serve } from '../http/serve.ts';
import { seconds } from '../lib/clock.ts';
import { cancelSubscription } from './cancellation.ts';
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

const longestEvent = 256 * 1024;

/** Signed events are given back, so only strangers reach this limit. */
const unsignedPerAddress: Limit = { capacity: 120, everyMs: seconds(5) };

const wellFormed = /^t=\d{1,12}(?:,v\d=[0-9a-f]{64}){1,5}$/;

function takeEvents(app: FastifyInstance, context: Context, emailWorker: Pick<EmailWorker, 'wake'>): void {
  const { counters } = context;
  const refuse = async (request: FastifyRequest) => {
    const { allowed, retryAfterSeconds } = await counters.take(keyOf(request), unsignedPerAddress);
    if (!allowed) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds });
    if (!wellFormed.test(signatureOf(request))) throw new Failure('INVALID_INPUT', 'A signature is missing.');
  };
  withRawBodies(app, { mostBytes: longestEvent, refuse }, (raw) => {
    raw.post(paymentEventsPath, { config: { countsCalls: false } }, async (request, reply) => {
      const event = readEvent(context, request);
      await counters.giveBack(keyOf(request), unsignedPerAddress);
      await handleEvent(context, event);
      emailWorker.wake();
      return reply.headers(apiHeaders).send({ success: true });
    });
  });
}

const keyOf = ({ ip }: FastifyRequest) => `payment events from ${clientKey(ip)}`;
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

/**
 * The event is recorded as handled only afterwards, so a failed one is handled when the provider sends it again.
 * @throws {Failure} UNAVAILABLE when the provider cannot be queried.
 */
async function handleEvent(context: Context, { id, type, customerId }: PaymentEvent): Promise<void> {
  const { db, log } = context;
  if (customerId === null) return;
  if (await db.selectFrom('payment_events').select('id').where('id', '=', id).executeTakeFirst()) return;
  const row = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!row) return log.info({ event: id, type, customer: customerId }, 'a payment event matches no account');
  try {
    const applied = await refreshSubscription(context, { accountId: row.account_id, customerId });
    // A payment may have been made at the moment of the account's deletion.
    if (applied?.closed) await cancelSubscription(context, row.account_id);
  } catch (error) {
    if (error instanceof PaymentsUnavailable) throw new Failure('UNAVAILABLE', undefined, { cause: error });
    throw error;
  }
  await noteOnce(context, id, type);
}
