import { type PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { graceEndedEmail } from '../email/templates.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { PaymentsUnavailable, UnknownCustomer } from '../engines/payments/payments.ts';
import { days } from '../lib/clock.ts';
import { queueEmail } from '../email/queue-email.ts';
import { graceDays } from './grace.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { logPlanChange, setLevel } from './set-level.ts';

/**
 * Time that a plan is kept after the last known paid period while the provider is unavailable. It is longer than any
 * outage. If the provider never comes back, the unpaid plan lasts no longer than the shortest period sold.
 */
const waitForProvider = days(30);

export interface DuePlan {
  readonly account_id: string;
  readonly customer_id: string | null;
  readonly read_at: number;
}

/**
 * Returns subscriptions whose payment failed and was not made up for within the grace period, oldest first. Customers
 * unknown to the provider are left to the nightly snapshot during the waiting time, so that they do not fill up
 * batches.
 */
export function findOverdue({ db, clock }: Pick<Context, 'db' | 'clock'>, most: number): Promise<DuePlan[]> {
  const now = clock.now();
  return db
    .selectFrom('subscriptions')
    .select(['account_id', 'customer_id', 'read_at'])
    .where('past_due_since', '<=', now - days(graceDays))
    .where((eb) => eb.or([eb('unknown_since', 'is', null), eb('read_at', '<=', now - waitForProvider)]))
    .where('grace_over', '=', 0)
    .orderBy('past_due_since')
    .orderBy('account_id')
    .limit(most)
    .execute();
}

/** Returns subscriptions whose paid period ended long ago, and for which the provider has not confirmed a renewal. */
export function findUnread({ db, clock }: Pick<Context, 'db' | 'clock'>, most: number): Promise<DuePlan[]> {
  const now = clock.now();
  return db
    .selectFrom('subscriptions')
    .select(['account_id', 'customer_id', 'read_at'])
    .where('customer_id', 'is not', null)
    .where('read_at', '<=', now - waitForProvider)
    .where('status', '=', 'active')
    .where('period_ends_at', '<=', now - waitForProvider)
    .where('grace_over', '=', 0)
    .orderBy('read_at')
    .orderBy('account_id')
    .limit(most)
    .execute();
}

/**
 * Ends a plan that is not paid for. It queries the provider once more first, since the event that reported a payment
 * may be lost. If the provider is unavailable, the plan is kept until `waitForProvider` has passed.
 */
export async function endGraceOf(context: Context, due: DuePlan): Promise<'ended' | 'kept' | 'unread'> {
  const answer = await askOnceMore(context, due);
  const asked = answer === 'read';
  // The snapshot already records an unknown customer; only an unavailable provider needs an alarm at every run.
  if (!asked && due.read_at > context.clock.now() - waitForProvider) return answer === 'silent' ? 'unread' : 'kept';
  const ended = await endGraceRows(context, due, asked);
  if (!ended) return 'kept';
  logPlanChange(context, due.account_id, ended.from, ended.to);
  return 'ended';
}

/** Returns the plans before and after; undefined if the plan is kept. */
async function endGraceRows(
  context: Context,
  due: DuePlan,
  asked: boolean,
): Promise<{ from: PlanLevel; to: PlanLevel } | undefined> {
  return context.db.transaction().execute(async (tx) => {
    const { account_id: id } = due;
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', id));
    const ended = await tx
      .updateTable('subscriptions')
      .set({ grace_over: 1 })
      .where('account_id', '=', id)
      .where('grace_over', '=', 0)
      .where((eb) =>
        eb.or([
          eb('past_due_since', '<=', context.clock.now() - days(graceDays)),
          // The outdated snapshot is still the latest, so no payment has been reported meanwhile.
          ...(asked ? [] : [eb('read_at', '=', due.read_at)]),
        ]),
      )
      .executeTakeFirst();
    if (Number(ended.numUpdatedRows) !== 1) return undefined;
    const before = await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const level = await setLevel(tx, before);
    if (before.closed_at === null)
      await queueEmail({ ...context, db: tx }, graceEndedEmail(context, before.email, context.plans[level].name));
    return { from: before.level, to: level };
  });
}

async function askOnceMore(
  context: Context,
  { account_id, customer_id }: DuePlan,
): Promise<'read' | 'unknown' | 'silent'> {
  if (customer_id === null) return 'read';
  try {
    await refreshSubscription(context, { accountId: account_id, customerId: customer_id });
    return 'read';
  } catch (error) {
    if (error instanceof UnknownCustomer) return 'unknown';
    if (error instanceof PaymentsUnavailable) return 'silent';
    throw error;
  }
}
