import type { SubscriptionProblem } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { isPaid } from './find-subscription.ts';
import { expectPayment } from './notice-payment.ts';
import { subscriptionNow } from './subscription-now.ts';

/** Pages of the web app that billing leads to. */
export const planInfoPage = '/dashboard/plan-info';
export const pricingPage = '/plan-pricing';

/** The plans, with a sentence that says why somebody is back there. */
export const problemPage = (problem: SubscriptionProblem): string => `${pricingPage}?problem=${problem}`;

/**
 * Where somebody goes to manage their plan: the provider's portal where they pay for one.
 * @throws {PaymentsUnavailable}
 */
export async function managePlan(context: Context, account: Pick<AccountRow, 'id'>): Promise<string> {
  const row = await subscriptionNow(context, account.id);
  return row?.customer_id && isPaid(row)
    ? portalFor(context, account.id, row.customer_id)
    : withoutSubscription(context, account);
}

export async function portalFor(context: Context, accountId: string, customerId: string): Promise<string> {
  const { payments, origins } = context;
  const url = await payments.portal(customerId, origins.app + planInfoPage);
  await expectPayment(context, accountId);
  return url;
}

async function withoutSubscription({ db, payments }: Context, { id }: Pick<AccountRow, 'id'>): Promise<string> {
  const { granted_level } = await db
    .selectFrom('accounts')
    .select('granted_level')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (granted_level !== 'free') return problemPage('granted');
  return payments.offers.length > 0 ? pricingPage : problemPage('not-for-sale');
}
