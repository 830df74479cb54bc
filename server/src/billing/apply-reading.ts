import { plans } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { paidTwiceLetter, paymentFailedLetter } from '../accounts/letters.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow, SubscriptionRow } from '../engines/database/schema.ts';
import type { ProviderSubscription } from '../engines/payments/payments.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { graceEndsAt } from './grace.ts';
import { type Judged, judgeSubscriptions } from './judge-subscriptions.ts';
import { noteOnce } from './note-once.ts';
import { setLevel } from './set-level.ts';

export interface Customer {
  readonly accountId: string;
  readonly customerId: string;
}

export interface Applied {
  readonly judged: Judged;
  /** Whether what is paid for, or the account's level, is other than it was before. */
  readonly changed: boolean;
  /** Whether the account is deleted, so that nothing may be paid for any more. */
  readonly closed: boolean;
}

/** One transaction for the subscription, the account's level and the letter that tells of it. Null: it was overtaken. */
export function applyReading(
  context: Context,
  { accountId, customerId }: Customer,
  reading: number,
  subscriptions: readonly ProviderSubscription[],
): Promise<Applied | null> {
  return context.db.transaction().execute(async (tx) => {
    // The account's row comes first, as everywhere.
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    const before = await tx
      .selectFrom('subscriptions')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('customer_id', '=', customerId)
      .where('reading_applied', '<', reading)
      .executeTakeFirst();
    if (!before) return null;
    const account = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    const now = context.clock.now();
    const judged = judgeSubscriptions(subscriptions, before);
    const after = stateAfter(judged, { before, now, hadAny: subscriptions.length > 0 });
    const closed = account.closed_at !== null;
    const toEnd =
      closed && before.cancel_requested_at === null && subscriptions.some(({ status }) => status !== 'ended');
    // The end waits for as long as the provider does not know the customer.
    const isKnownAgain = before.cancel_requested_at !== null && before.unknown_since !== null;
    await tx
      .updateTable('subscriptions')
      .set({
        ...after,
        reading_applied: reading,
        read_at: now,
        unknown_since: null,
        ...(toEnd && { cancel_requested_at: now, cancel_due_at: 0 }),
        ...(isKnownAgain && { cancel_due_at: 0 }),
      })
      .where('account_id', '=', accountId)
      .execute();
    const level = await setLevel(tx, account);
    if (!closed) await queueLetters({ ...context, db: tx }, account, { before, after, judged });
    return { judged, changed: level !== account.level || isOther(after, before), closed };
  });
}

interface Change {
  readonly before: SubscriptionRow;
  readonly after: State;
  readonly judged: Judged;
}

async function queueLetters(
  context: Context,
  { email }: AccountRow,
  { before, after, judged: { kept, surplus } }: Change,
): Promise<void> {
  if (after.past_due_since !== null && before.past_due_since === null)
    await queueLetter(context, paymentFailedLetter(context, email, graceEndsAt(after.past_due_since)));
  for (const { id } of surplus)
    if (kept?.offer && (await noteOnce(context, `ended ${id}`, 'paid twice')))
      await queueLetter(context, paidTwiceLetter(context, email, plans[kept.offer.level].name));
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

interface Reading {
  readonly before: SubscriptionRow;
  readonly now: number;
  /** Whether the customer ever had a subscription. */
  readonly hadAny: boolean;
}

function stateAfter({ kept }: Judged, { before, now, hadAny }: Reading): State {
  if (!kept)
    return {
      // What it was stays readable, for whoever asks what an account had.
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
  // A time that has not come yet was written before the clock was set back.
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

/** That somebody was at the provider and has changed nothing there is no change. */
const isOther = (after: State, before: SubscriptionRow): boolean =>
  Object.entries({ ...after, checkout_opened_at: before.checkout_opened_at }).some(
    ([column, value]) => before[column as keyof State] !== value,
  );
