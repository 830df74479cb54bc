import type { SubscriptionProblem } from '@holdfast/contract/src/limits.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { isPaid } from './find-subscription.ts';
import { expectPayment } from './poll-after-checkout.ts';
import { subscriptionNow } from './subscription-now.ts';

/** Pages of the web app that billing redirects to. */
export const planInfoPage = '/dashboard/plan-info';
export const pricingPage = '/plan-pricing';

/**
 * The pricing page with a sentence that explains why the user was sent back. A site without that page sells nothing, and
 * says so on the page of the user's plan.
 */
export const problemPage = ({ config }: Pick<Context, 'config'>, problem: SubscriptionProblem): string =>
  config.site.pricing ? `${pricingPage}?problem=${problem}` : `${planInfoPage}?problem=not-for-sale`;

/**
 * Returns the URL where a user manages the plan: the provider's portal if the user pays for one.
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

async function withoutSubscription(context: Context, { id }: Pick<AccountRow, 'id'>): Promise<string> {
  const { db, payments } = context;
  const { granted_level } = await db
    .selectFrom('accounts')
    .select('granted_level')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (granted_level !== 'free') return problemPage(context, 'granted');
  return payments.offers.length > 0 ? pricingPage : problemPage(context, 'not-for-sale');
}
