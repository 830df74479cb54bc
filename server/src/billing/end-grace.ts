import { type PlanLevel, plans } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { graceEndedLetter } from '../accounts/letters.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { days } from '../lib/clock.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { graceDays } from './grace.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { setLevel } from './set-level.ts';

/** A provider that cannot be asked is waited for, and no longer than this. */
const waitForProvider = days(1);

export interface OverdueAccount {
  readonly account_id: string;
  readonly customer_id: string | null;
  readonly past_due_since: number;
}

const overdue = ({ db, clock }: Pick<Context, 'db' | 'clock'>) =>
  db
    .selectFrom('subscriptions')
    .where('past_due_since', '<=', clock.now() - days(graceDays))
    .where('grace_over', '=', 0);

/** Whose days of grace are over, the longest first. */
export async function findOverdue(context: Context, most: number): Promise<OverdueAccount[]> {
  const rows = await overdue(context)
    .select(['account_id', 'customer_id', 'past_due_since'])
    .orderBy('past_due_since')
    .orderBy('account_id')
    .limit(most)
    .execute();
  return rows.flatMap((row) => (row.past_due_since === null ? [] : [{ ...row, past_due_since: row.past_due_since }]));
}

/**
 * Takes the plan away that nobody has paid for in the days of grace. The provider is asked once more first, since the
 * event that told of a payment may be lost. Answers whether the plan is gone.
 */
export async function endGraceOf(context: Context, account: OverdueAccount): Promise<boolean> {
  const asked = await askOnceMore(context, account);
  if (!asked && context.clock.now() < account.past_due_since + days(graceDays) + waitForProvider) return false;
  return context.db.transaction().execute(async (tx) => {
    const { account_id: id } = account;
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', id));
    const ended = await tx
      .updateTable('subscriptions')
      .set({ grace_over: 1 })
      .where('account_id', '=', id)
      .where('status', '=', 'past_due')
      .where('past_due_since', '<=', context.clock.now() - days(graceDays))
      .where('grace_over', '=', 0)
      .executeTakeFirst();
    if (Number(ended.numUpdatedRows) !== 1) return false;
    const before = await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const level: PlanLevel = await setLevel(tx, before);
    if (before.closed_at === null)
      await queueLetter({ ...context, db: tx }, graceEndedLetter(context, before.email, plans[level].name));
    return true;
  });
}

async function askOnceMore(context: Context, { account_id, customer_id }: OverdueAccount): Promise<boolean> {
  if (customer_id === null) return true;
  try {
    await refreshSubscription(context, { accountId: account_id, customerId: customer_id });
    return true;
  } catch (error) {
    if (error instanceof PaymentsUnavailable) return false;
    throw error;
  }
}
