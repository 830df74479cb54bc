import type { Plan } from '@holdfast/contract/src/plans.ts';
import { ownLimitsIn, type OwnLimits, planOf } from '../accounts/plan-of.ts';
import { findSubscription, ownSubscription } from '../billing/subscription.ts';
import type { Context } from '../context.ts';
import type { AccountRow, SubscriptionRow } from '../engines/database/schema.ts';

export interface AccountFacts {
  readonly account: AccountRow;
  readonly plan: Plan;
  /** Those that hold instead of the plan's. */
  readonly ownLimits: OwnLimits;
  /** The subscription as its owner sees it. */
  readonly subscription: Awaited<ReturnType<typeof ownSubscription>>;
  readonly row: SubscriptionRow | undefined;
  readonly cases: readonly string[];
}

/** Collects what an operator may want to know about an account. */
export async function accountFacts(context: Context, account: AccountRow): Promise<AccountFacts> {
  const cases = await casesAgainst(context, account.id);
  const subscription = await ownSubscription(context, account.id);
  const row = await findSubscription(context, account.id);
  return {
    account,
    plan: planOf(context, account),
    ownLimits: ownLimitsIn(account.own_limits),
    subscription,
    row,
    cases,
  };
}

/** References of the cases that took down files of an account and were not reversed, oldest first. */
async function casesAgainst({ db }: Pick<Context, 'db'>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('takedowns')
    .select('reference')
    .where('account_id', '=', accountId)
    .where('restored_at', 'is', null)
    .groupBy('reference')
    .orderBy((eb) => eb.fn.min('taken_down_at'))
    .orderBy('reference')
    .execute();
  return rows.map((row) => row.reference);
}
