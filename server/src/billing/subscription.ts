import type { Subscription } from '@holdfast/contract/src/account.ts';
import { type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow, SubscriptionRow } from '../storage/db/schema.ts';
import { timeText } from '../lib/clock.ts';

/** After a failed payment. */
export const graceDays = 7;

export function findSubscription({ db }: Pick<Context, 'db'>, accountId: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export const isPaid = (row: Pick<SubscriptionRow, 'status'> | undefined): boolean =>
  row?.status === 'active' || row?.status === 'past_due';

export async function ownSubscription(
  { db, config: { plans } }: Pick<Context, 'db' | 'config'>,
  accountId: string,
): Promise<Subscription | null> {
  const row = await findSubscription({ db }, accountId);
  if (!row || !isPaid(row) || row.period_ends_at === null) return null;
  const { level, period, status, period_ends_at, grace_ends_at, grace_over } = row;
  return {
    level: level && plans[level].name,
    period,
    status: status === 'past_due' || grace_over === 1 ? 'past_due' : 'active',
    period_ends: timeText(period_ends_at),
    ends_with_period: row.ends_with_period === 1,
    grace_ends: grace_ends_at === null ? null : timeText(grace_ends_at),
  };
}

export const rank = (level: PlanLevel): number => planLevels.indexOf(level);

/** In a transaction that has locked the account's row. */
export async function setLevel(
  tx: Transaction,
  account: Pick<AccountRow, 'id' | 'level' | 'granted_level'>,
): Promise<PlanLevel> {
  const row = await findSubscription({ db: tx }, account.id);
  const paid = isPaid(row) && row?.grace_over === 0 ? row.level : null;
  const level = paid !== null && rank(paid) > rank(account.granted_level) ? paid : account.granted_level;
  if (level !== account.level) await tx.updateTable('accounts').set({ level }).where('id', '=', account.id).execute();
  return level;
}

/**
 * Grants an account a plan without payment; `free` revokes it. The better of it and a paid one is the account's level.
 * Returns the new level, or null if there is no such open account. `alongside` runs in the same transaction.
 */
export function grantPlan(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  level: PlanLevel,
  alongside: (tx: Transaction, level: PlanLevel) => Promise<void> = async () => {},
): Promise<PlanLevel | null> {
  return db.transaction().execute(async (tx) => {
    const granted = await tx
      .updateTable('accounts')
      .set({ granted_level: level })
      .where('id', '=', accountId)
      .where('closed_at', 'is', null)
      .returning(['id', 'level', 'granted_level'])
      .executeTakeFirst();
    if (!granted) return null;
    const now = await setLevel(tx, granted);
    await alongside(tx, now);
    return now;
  });
}

export function logPlanChange({ log }: Pick<Context, 'log'>, account: string, from: PlanLevel, to: PlanLevel): void {
  if (from !== to) log.info({ event: 'plan-change', outcome: 'done', account, from, to }, 'security event');
}
