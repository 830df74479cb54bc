/** Snapshots are numbered when they begin, and one that a later one has overtaken is dropped. */
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { warnAnew } from '../accounts/dormancy-rules.ts';
import { zoneOf } from '../accounts/timezone.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { paidTwiceEmail, paymentFailedEmail } from '../email/templates.ts';
import { endOfDay, lastDayBefore } from '../lib/calendar-days.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { SubscriptionRow } from '../storage/db/schema.ts';
import type { ProviderSubscription } from '../services/payments/payments.ts';
import { graceDays, isPaid, logPlanChange, rank, setLevel } from './subscription.ts';

export interface Customer {
  readonly accountId: string;
  readonly customerId: string;
}

export interface Applied {
  readonly changed: boolean;
  readonly closed: boolean;
}

/** Returns null if a later snapshot was applied first. */
export async function refreshSubscription(context: Context, customer: Customer): Promise<Applied | null> {
  const { db, payments } = context;
  const begun = await db
    .updateTable('subscriptions')
    .set((eb) => ({ snapshots_begun: eb('snapshots_begun', '+', 1) }))
    .where('account_id', '=', customer.accountId)
    .where('customer_id', '=', customer.customerId)
    .returning('snapshots_begun')
    .executeTakeFirst();
  if (!begun) return null;
  const subscriptions = await payments.subscriptions(customer.customerId);
  const applied = await apply(context, customer, begun.snapshots_begun, subscriptions);
  if (!applied) return null;
  logPlanChange(context, customer.accountId, applied.from, applied.to);
  // All subscriptions of a closed account end: see cancellation.ts.
  if (!applied.closed) await endSurplus(context, customer, applied.picked);
  return applied;
}

interface AppliedRows extends Applied {
  readonly picked: Picked;
  readonly from: PlanLevel;
  readonly to: PlanLevel;
}

function apply(
  context: Context,
  { accountId, customerId }: Customer,
  snapshot: number,
  subscriptions: readonly ProviderSubscription[],
): Promise<AppliedRows | null> {
  return context.db.transaction().execute(async (tx) => {
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
    const picked = pick(subscriptions);
    const graceEnds = endOfDay(now, zoneOf(account), graceDays);
    const closed = account.closed_at !== null;
    const state = stateAfter(picked.kept, before, { now, graceEnds }, subscriptions.length > 0);
    // The row of a closed account keeps what its owner paid for, so that a later payment can be told from it.
    const after = closed ? { status: state.status } : state;
    const toEnd = closed && before.cancel_requested_at === null && subscriptions.some(isNotEnded);
    await tx
      .updateTable('subscriptions')
      .set({
        ...after,
        snapshot_applied: snapshot,
        read_at: now,
        ...(toEnd && { cancel_requested_at: now, cancel_due_at: 0 }),
      })
      .where('account_id', '=', accountId)
      .execute();
    const level = await setLevel(tx, account);
    const within = { ...context, db: tx };
    if (isPaid(before) !== isPaid(state)) await warnAnew(tx, accountId);
    if (!closed && state.grace_ends_at !== null && before.grace_ends_at === null) {
      const lastDay = lastDayBefore(state.grace_ends_at, zoneOf(account));
      await queueEmail(within, paymentFailedEmail(context, account.email, lastDay));
    }
    const plan = picked.kept?.offer?.level;
    for (const { id } of picked.surplus)
      if (!closed && plan && (await noteOnce(within, `ended ${id}`, 'paid twice')))
        await queueEmail(within, paidTwiceEmail(context, account.email, context.config.plans[plan].name));
    return {
      picked,
      changed: level !== account.level || isOther(after, before),
      closed,
      from: account.level,
      to: level,
    };
  });
}

export const isNotEnded = ({ status }: ProviderSubscription): boolean => status !== 'ended';

interface Live extends ProviderSubscription {
  readonly status: 'active' | 'past_due';
}

interface Picked {
  readonly kept: Live | null;
  readonly surplus: readonly Live[];
  readonly unreadable: readonly Live[];
}

function pick(subscriptions: readonly ProviderSubscription[]): Picked {
  const live = subscriptions.filter((each): each is Live => each.status === 'active' || each.status === 'past_due');
  const [kept, ...surplus] = live.filter(({ offer }) => offer !== null).toSorted(bestFirst);
  const unreadable = live.filter(({ offer }) => offer === null);
  return { kept: kept ?? unreadable[0] ?? null, surplus, unreadable };
}

function bestFirst(a: Live, b: Live): number {
  const byStatus = Number(b.status === 'active') - Number(a.status === 'active');
  const byLevel = rank(b.offer?.level ?? 'free') - rank(a.offer?.level ?? 'free');
  return byStatus || byLevel || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function stateAfter(
  kept: Live | null,
  before: SubscriptionRow,
  { now, graceEnds }: { readonly now: number; readonly graceEnds: number },
  hadAny: boolean,
) {
  if (!kept)
    return {
      status: hadAny || before.subscription_id !== null ? 'ended' : 'none',
      grace_ends_at: null,
      ends_with_period: 0,
      grace_over: 0,
    } as const;
  const until = kept.status === 'past_due' ? (before.grace_ends_at ?? graceEnds) : null;
  return {
    subscription_id: kept.id,
    level: kept.offer?.level ?? null,
    period: kept.offer?.period ?? null,
    status: kept.status,
    grace_ends_at: until,
    period_ends_at: kept.periodEndsAt,
    ends_with_period: kept.endsWithPeriod ? 1 : 0,
    grace_over: until !== null && until <= now ? before.grace_over : 0,
    checkout_opened_at: null,
  } as const;
}

/** A visit to the provider alone is not a change. */
const isOther = (after: Partial<SubscriptionRow>, before: SubscriptionRow): boolean =>
  Object.entries({ ...after, checkout_opened_at: before.checkout_opened_at }).some(
    ([column, value]) => before[column as keyof SubscriptionRow] !== value,
  );

async function endSurplus({ payments, log }: Context, { accountId }: Customer, picked: Picked): Promise<void> {
  const { kept, surplus, unreadable } = picked;
  for (const { id } of unreadable)
    log.error(
      { account: accountId, subscription: id },
      'ALARM: an account pays for no plan: its subscription has a price that STRIPE_PRICES lacks, or no quantity. ' +
        'Add the price, or end and refund the subscription at the payment provider',
    );
  if (kept && kept.times > 1)
    log.error(
      { account: accountId, subscription: kept.id, times: kept.times },
      'ALARM: an account pays for more than one plan in one subscription. Reduce the subscription to one plan, and refund the rest',
    );
  for (const { id } of surplus) {
    log.error(
      { account: accountId, kept: kept?.id, ended: id },
      'ALARM: an account paid for two subscriptions. The lesser one was ended: refund it at the payment provider',
    );
    await payments.cancel(id);
  }
}

/** Returns false if `id` was noted before. */
export async function noteOnce(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
  type: string,
): Promise<boolean> {
  const noted = await db
    .insertInto('payment_events')
    .values({ id, type, received_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(noted.numInsertedOrUpdatedRows ?? 0) === 1;
}

/** `about` is what the alarm is about: a customer, a subscription or an invoice. */
export async function alarmOnce(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  about: string,
  facts: object,
  message: string,
): Promise<void> {
  if (await noteOnce(context, `alarm about ${about}`, 'alarm')) context.log.error(facts, `ALARM: ${message}`);
}
