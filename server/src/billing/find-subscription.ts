import type { Context } from '../context.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';

export function findSubscription({ db }: Pick<Context, 'db'>, accountId: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/** Returns whether there is a subscription to manage. If so, nothing else may be bought beside it. */
export const isPaid = (row: Pick<SubscriptionRow, 'status'> | undefined): boolean =>
  row?.status === 'active' || row?.status === 'past_due';
