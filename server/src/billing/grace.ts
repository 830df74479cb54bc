import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { graceEndedEmail } from '../email/templates.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { PaymentsUnavailable } from '../services/payments/payments.ts';
import { days } from '../lib/clock.ts';
import { refreshSubscription } from './snapshots.ts';
import { logPlanChange, setLevel } from './subscription.ts';

/** Longer than any outage of the provider. An unpaid plan lasts no longer than the shortest period sold. */
const waitForProvider = days(30);

export interface DuePlan {
  readonly account_id: string;
  readonly customer_id: string | null;
  readonly read_at: number;
}

export function findOverdue({ db, clock }: Pick<Context, 'db' | 'clock'>, most: number): Promise<DuePlan[]> {
  return db
    .selectFrom('subscriptions')
    .select(['account_id', 'customer_id', 'read_at'])
    .where('grace_ends_at', '<=', clock.now())
    .where('grace_over', '=', 0)
    .orderBy('grace_ends_at')
    .orderBy('account_id')
    .limit(most)
    .execute();
}

export function findUnread({ db, clock }: Pick<Context, 'db' | 'clock'>, most: number): Promise<DuePlan[]> {
  const before = clock.now() - waitForProvider;
  return db
    .selectFrom('subscriptions')
    .select(['account_id', 'customer_id', 'read_at'])
    .where('customer_id', 'is not', null)
    .where('read_at', '<=', before)
    .where('status', '=', 'active')
    .where('period_ends_at', '<=', before)
    .where('grace_over', '=', 0)
    .orderBy('read_at')
    .orderBy('account_id')
    .limit(most)
    .execute();
}

/** The event that reported a payment may be lost. */
export async function endGraceOf(context: Context, due: DuePlan): Promise<'ended' | 'kept' | 'unread'> {
  const isRead = await askOnceMore(context, due);
  if (!isRead && due.read_at > context.clock.now() - waitForProvider) return 'unread';
  return (await endPlan(context, due, isRead)) ? 'ended' : 'kept';
}

async function askOnceMore(context: Context, { account_id, customer_id }: DuePlan): Promise<boolean> {
  if (customer_id === null) return true;
  try {
    await refreshSubscription(context, { accountId: account_id, customerId: customer_id });
    return true;
  } catch (error) {
    if (error instanceof PaymentsUnavailable) return false;
    throw error;
  }
}

async function endPlan(context: Context, { account_id: id, read_at }: DuePlan, isRead: boolean): Promise<boolean> {
  const change = await context.db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', id));
    const ended = await tx
      .updateTable('subscriptions')
      .set({ grace_over: 1 })
      .where('account_id', '=', id)
      .where('grace_over', '=', 0)
      .where((eb) =>
        eb.or([
          eb('grace_ends_at', '<=', context.clock.now()),
          // The outdated snapshot is still the latest, so no payment has been reported meanwhile.
          ...(isRead ? [] : [eb('read_at', '=', read_at)]),
        ]),
      )
      .executeTakeFirst();
    if (Number(ended.numUpdatedRows) !== 1) return null;
    const before = await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const to = await setLevel(tx, before);
    if (before.closed_at === null)
      await queueEmail({ ...context, db: tx }, graceEndedEmail(context, before.email, context.config.plans[to].name));
    return { from: before.level, to };
  });
  if (change) logPlanChange(context, id, change.from, change.to);
  return change !== null;
}
