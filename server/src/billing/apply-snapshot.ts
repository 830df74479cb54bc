import { type PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { paidTwiceEmail, paymentFailedEmail } from '../email/templates.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow, SubscriptionRow } from '../engines/database/schema.ts';
import type { ProviderSubscription } from '../engines/payments/payments.ts';
import { queueEmail } from '../email/queue-email.ts';
import { graceEndsAt } from './grace.ts';
import { type PickedSubscription, pickSubscription } from './pick-subscription.ts';
import { noteOnce } from './note-once.ts';
import { logPlanChange, setLevel } from './set-level.ts';

export interface Customer {
  readonly accountId: string;
  readonly customerId: string;
}

export interface Applied {
  readonly picked: PickedSubscription;
  /** True if what is paid for, or the account's level, has changed. */
  readonly changed: boolean;
  /** True if the account is deleted, so that nothing may be paid for any more. */
  readonly closed: boolean;
}

/**
 * Updates the subscription and the account's level, and queues the emails about it, in one transaction. Returns null if
 * a later snapshot was applied first.
 */
export async function applySnapshot(
  context: Context,
  customer: Customer,
  snapshot: number,
  subscriptions: readonly ProviderSubscription[],
): Promise<Applied | null> {
  const applied = await applyRows(context, customer, snapshot, subscriptions);
  if (applied) logPlanChange(context, customer.accountId, applied.from, applied.to);
  return applied;
}

function applyRows(
  context: Context,
  { accountId, customerId }: Customer,
  snapshot: number,
  subscriptions: readonly ProviderSubscription[],
): Promise<(Applied & { from: PlanLevel; to: PlanLevel }) | null> {
  return context.db.transaction().execute(async (tx) => {
    // Lock the account's row first, as everywhere.
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    const before = await tx
      .selectFrom('subscriptions')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('customer_id', '=', customerId)
      .where('snapshot_applied', '<', snapshot)
      .executeTakeFirst();
    if (!before) return null;
    const account = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    const now = context.clock.now();
    const picked = pickSubscription(subscriptions, before);
    const after = stateAfter(picked, { before, now, hadAny: subscriptions.length > 0 });
    const closed = account.closed_at !== null;
    const toEnd =
      closed && before.cancel_requested_at === null && subscriptions.some(({ status }) => status !== 'ended');
    // The cancellation is delayed while the provider does not know the customer.
    const isKnownAgain = before.cancel_requested_at !== null && before.unknown_since !== null;
    await tx
      .updateTable('subscriptions')
      .set({
        ...after,
        snapshot_applied: snapshot,
        read_at: now,
        unknown_since: null,
        ...(toEnd && { cancel_requested_at: now, cancel_due_at: 0 }),
        ...(isKnownAgain && { cancel_due_at: 0 }),
      })
      .where('account_id', '=', accountId)
      .execute();
    const level = await setLevel(tx, account);
    if (!closed) await queueEmails({ ...context, db: tx }, account, { before, after, picked });
    const changed = level !== account.level || isOther(after, before);
    return { picked, changed, closed, from: account.level, to: level };
  });
}

interface Change {
  readonly before: SubscriptionRow;
  readonly after: State;
  readonly picked: PickedSubscription;
}

async function queueEmails(
  context: Context,
  { email }: AccountRow,
  { before, after, picked: { kept, surplus } }: Change,
): Promise<void> {
  if (after.past_due_since !== null && before.past_due_since === null)
    await queueEmail(context, paymentFailedEmail(context, email, graceEndsAt(after.past_due_since)));
  for (const { id } of surplus)
    if (kept?.offer && (await noteOnce(context, `ended ${id}`, 'paid twice')))
      await queueEmail(context, paidTwiceEmail(context, email, context.plans[kept.offer.level].name));
}

type State = Pick<
  SubscriptionRow,
  | 'subscription_id'
  | 'level'
  | 'period'
  | 'status'
  | 'past_due_since'
  | 'period_ends_at'
  | 'ends_with_period'
  | 'grace_over'
  | 'checkout_opened_at'
>;

interface SnapshotFacts {
  readonly before: SubscriptionRow;
  readonly now: number;
  /** True if the customer ever had a subscription. */
  readonly hadAny: boolean;
}

function stateAfter({ kept }: PickedSubscription, { before, now, hadAny }: SnapshotFacts): State {
  if (!kept)
    return {
      // The old values are kept as a record of what the account had.
      subscription_id: before.subscription_id,
      level: before.level,
      period: before.period,
      status: hadAny || before.subscription_id !== null ? 'ended' : 'none',
      past_due_since: null,
      period_ends_at: before.period_ends_at,
      ends_with_period: 0,
      grace_over: 0,
      checkout_opened_at: before.checkout_opened_at,
    };
  const isPastDue = kept.status === 'past_due';
  // A time in the future was written before the clock was set back.
  const since = Math.min(before.past_due_since ?? now, now);
  return {
    subscription_id: kept.id,
    level: kept.offer?.level ?? null,
    period: kept.offer?.period ?? null,
    status: kept.status,
    past_due_since: isPastDue ? since : null,
    period_ends_at: kept.periodEndsAt,
    ends_with_period: kept.endsWithPeriod ? 1 : 0,
    grace_over: isPastDue && graceEndsAt(since) <= now ? before.grace_over : 0,
    checkout_opened_at: null,
  };
}

/** A visit to the provider alone is not a change. */
const isOther = (after: State, before: SubscriptionRow): boolean =>
  Object.entries({ ...after, checkout_opened_at: before.checkout_opened_at }).some(
    ([column, value]) => before[column as keyof State] !== value,
  );
