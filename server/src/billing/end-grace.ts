import { plans } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { graceEndedLetter } from '../accounts/letters.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { PaymentsUnavailable, UnknownCustomer } from '../engines/payments/payments.ts';
import { days } from '../lib/clock.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { graceDays } from './grace.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { setLevel } from './set-level.ts';

/**
 * How long a plan stays that the provider cannot be asked about, after what it said last has run out. No outage is as long,
 * and one that never ends gives a plan for nothing no longer than the shortest period that is sold.
 */
const waitForProvider = days(30);

export interface DuePlan {
  readonly account_id: string;
  readonly customer_id: string | null;
  readonly read_at: number;
}

/**
 * Payments that failed and were not made up for in the days of grace, the longest ago first. Customers whom the provider
 * does not know are left to the nightly reading until they have been waited for, so that they fill no batch.
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

/** What was paid for has been over for long, and the provider has not told whether it was paid again. */
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
 * Takes a plan away that nobody has paid for. The provider is asked once more first, since the event that told of a payment
 * may be lost. Where it cannot be asked the plan stays until that was tried for long.
 */
export async function endGraceOf(context: Context, due: DuePlan): Promise<'ended' | 'kept' | 'unread'> {
  const answer = await askOnceMore(context, due);
  const asked = answer === 'read';
  // That a customer is unknown is noted by the reading; only silence is worth an alarm at every run.
  if (!asked && due.read_at > context.clock.now() - waitForProvider) return answer === 'silent' ? 'unread' : 'kept';
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
          // Still the reading that was too old, and so nobody has heard of a payment meanwhile.
          ...(asked ? [] : [eb('read_at', '=', due.read_at)]),
        ]),
      )
      .executeTakeFirst();
    if (Number(ended.numUpdatedRows) !== 1) return 'kept';
    const before = await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const level = await setLevel(tx, before);
    if (before.closed_at === null)
      await queueLetter({ ...context, db: tx }, graceEndedLetter(context, before.email, plans[level].name));
    return 'ended';
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
