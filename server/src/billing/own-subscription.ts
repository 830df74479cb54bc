import type { Subscription } from '@holdfast/contract/src/account.ts';
import type { Plans } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';
import { timeText } from '../lib/clock.ts';
import { graceEndsAt } from './grace.ts';

/** The subscription of an account as last reported by the provider; null if there is none. */
export async function ownSubscription(
  { db, plans }: Pick<Context, 'db' | 'plans'>,
  accountId: string,
): Promise<Subscription | null> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', 'in', ['active', 'past_due'])
    .executeTakeFirst();
  return row ? asShown(plans, row) : null;
}

function asShown(plans: Plans, row: SubscriptionRow): Subscription | null {
  const { level, period, status, period_ends_at, past_due_since, grace_over } = row;
  if (period_ends_at === null) return null;
  return {
    level: level && plans[level].name,
    period,
    status: status === 'past_due' || grace_over === 1 ? 'past_due' : 'active',
    period_ends: timeText(period_ends_at),
    ends_with_period: row.ends_with_period === 1,
    grace_ends: past_due_since === null ? null : timeText(graceEndsAt(past_due_since)),
  };
}
