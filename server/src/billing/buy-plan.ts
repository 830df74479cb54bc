import { Failure } from '@holdfast/contract/src/errors.ts';
import { type Offer, offerNamed } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { AccountRow, SubscriptionRow } from '../engines/database/schema.ts';
import { NotForSale, UnknownCustomer } from '../engines/payments/payments.ts';
import { withCheckoutLease } from './checkout-lease.ts';
import { customerOf, replaceCustomer } from './customer-of.ts';
import { rank } from './effective-level.ts';
import { findSubscription, isPaid } from './find-subscription.ts';
import { managePlan, planInfoPage, portalFor, pricingPage, problemPage } from './manage-plan.ts';
import { expectPayment } from './poll-after-checkout.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { subscriptionNow } from './subscription-now.ts';

/**
 * Returns the URL where a user buys the plan named `name`, such as `starter_monthly`. However often and from however
 * many tabs it is called, an account has at most one open checkout, and none beside a subscription.
 * @throws {PaymentsUnavailable}
 */
export async function buyPlan(context: Context, account: AccountRow, name: string): Promise<string> {
  const offer = offerNamed(name);
  if (!offer) return problemPage(context, 'unknown-plan');
  const known = await findSubscription(context, account.id);
  // If nothing is paid for, the checkout takes its own snapshot at the right time.
  if (known && isPaid(known) && (await isStillPaid(context, known))) return managePlan(context, account);
  if (!isForSale(context, offer)) return problemPage(context, 'not-for-sale');
  if (rank(offer.level) <= rank(account.granted_level)) return problemPage(context, 'granted');
  try {
    const url = await withCheckoutLease(context, account.id, () => openCheckout(context, account, offer));
    return url ?? problemPage(context, 'busy');
  } catch (error) {
    if (!(error instanceof NotForSale)) throw error;
    context.log.error(`ALARM: ${error.message}. It is not sold`);
    return problemPage(context, 'not-for-sale');
  }
}

/**
 * A customer who lost the plan and had paid through another account of the operator at the provider has nothing to
 * manage, and may buy here.
 */
async function isStillPaid(context: Context, { account_id, grace_over }: SubscriptionRow): Promise<boolean> {
  try {
    return isPaid(await subscriptionNow(context, account_id));
  } catch (error) {
    if (error instanceof UnknownCustomer && grace_over === 1) return false;
    throw error;
  }
}

const isForSale = ({ payments }: Context, { level, period }: Offer): boolean =>
  payments.offers.some((each) => each.level === level && each.period === period);

async function openCheckout(context: Context, account: AccountRow, offer: Offer): Promise<string> {
  const customerId = await customerOf(context, account);
  try {
    return await checkoutOf(context, account, customerId, offer);
  } catch (error) {
    if (!(error instanceof UnknownCustomer)) throw error;
    // The operator has switched to another account at the provider, perhaps from a sandbox to the live one.
    const replacement = await replaceCustomer(context, account, customerId);
    return checkoutOf(context, account, replacement, offer);
  }
}

async function checkoutOf(context: Context, account: AccountRow, customerId: string, offer: Offer): Promise<string> {
  const { payments, origins } = context;
  const url = await payments.checkout(customerId, offer, {
    paid: `${origins.app}${planInfoPage}?checkout=paid`,
    canceled: `${origins.app}${pricingPage}?checkout=canceled`,
  });
  // The snapshot comes after the checkout is created: it includes any payment from an earlier checkout, and the user
  // does not have the new URL yet.
  const applied = await refreshSubscription(context, { accountId: account.id, customerId });
  const row = await findSubscription(context, account.id);
  if (applied?.closed || isPaid(row)) await payments.closeCheckouts(customerId);
  if (applied?.closed) throw new Failure('AUTH_REQUIRED');
  if (isPaid(row)) return portalFor(context, account.id, customerId);
  await expectPayment(context, account.id);
  return url;
}
