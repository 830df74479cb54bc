/** An account has at most one open checkout, and none beside a subscription, from however many tabs it asks. */
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { SubscriptionProblem } from '@holdfast/contract/src/limits.ts';
import { type Offer, offerNamed } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { AccountRow, SubscriptionRow } from '../storage/db/schema.ts';
import { NotForSale, PaymentsUnavailable, UnknownCustomer } from '../services/payments/payments.ts';
import { hours, minutes, seconds } from '../lib/clock.ts';
import { serviceIdOf } from './provider.ts';
import { refreshSubscription } from './snapshots.ts';
import { findSubscription, isPaid, rank } from './subscription.ts';

const planInfoPage = '/dashboard/plan-info';
const pricingPage = '/plan-pricing';

/** A site without a pricing page sells nothing, and says so on the page of the user's plan. */
export const problemPage = ({ config }: Pick<Context, 'config'>, problem: SubscriptionProblem): string =>
  config.site.pricing ? `${pricingPage}?problem=${problem}` : `${planInfoPage}?problem=not-for-sale`;

export async function managePlan(context: Context, account: Pick<AccountRow, 'id'>): Promise<string> {
  const row = await subscriptionNow(context, account.id);
  if (row?.customer_id && isPaid(row)) return portalFor(context, account.id, row.customer_id);
  if (context.payments.offers.length === 0) return problemPage(context, 'not-for-sale');
  const { granted_level } = await context.db
    .selectFrom('accounts')
    .select('granted_level')
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow();
  return granted_level === 'free' ? pricingPage : problemPage(context, 'granted');
}

/** A purchase may just have happened, and a user may have changed the plan at the provider. */
async function subscriptionNow(context: Context, accountId: string): Promise<SubscriptionRow | undefined> {
  const known = await findSubscription(context, accountId);
  if (!known?.customer_id || (isPaid(known) && known.grace_over === 0 && known.checkout_opened_at === null))
    return known;
  await refreshSubscription(context, { accountId, customerId: known.customer_id });
  return findSubscription(context, accountId);
}

async function portalFor(context: Context, accountId: string, customerId: string): Promise<string> {
  const url = await context.payments.portal(customerId, context.config.origins.app + planInfoPage);
  await expectPayment(context, accountId);
  return url;
}

export async function buyPlan(context: Context, account: AccountRow, name: string): Promise<string> {
  const offer = offerNamed(name);
  if (!offer) return problemPage(context, 'unknown-plan');
  const known = await findSubscription(context, account.id);
  if (isPaid(known) && (await isStillPaid(context, account.id, known?.grace_over === 1)))
    return managePlan(context, account);
  if (!context.payments.offers.some(({ level, period }) => level === offer.level && period === offer.period))
    return problemPage(context, 'not-for-sale');
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

/** A customer who lost a plan that was bought in test mode has nothing to manage. */
async function isStillPaid(context: Context, accountId: string, isOver: boolean): Promise<boolean> {
  try {
    return isPaid(await subscriptionNow(context, accountId));
  } catch (error) {
    if (error instanceof UnknownCustomer && isOver) return false;
    throw error;
  }
}

const leaseFor = minutes(3);
const lookEveryMs = 100;
const looks = 80;

/** Runs `open` for one caller at a time per account; null if others held the lease too long. */
async function withCheckoutLease<T>(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  open: () => Promise<T>,
): Promise<T | null> {
  await db
    .insertInto('subscriptions')
    .values({ account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const lease = db.updateTable('subscriptions').where('account_id', '=', accountId);
  for (let look = 0; look < looks; look += 1) {
    const now = clock.now();
    const until = now + leaseFor;
    const taken = await lease
      .set({ checkout_leased_until: until })
      .where('checkout_leased_until', '<=', now)
      .executeTakeFirst();
    if (Number(taken.numUpdatedRows) === 1) {
      try {
        return await open();
      } finally {
        await lease.set({ checkout_leased_until: 0 }).where('checkout_leased_until', '=', until).execute();
      }
    }
    await pause(lookEveryMs);
  }
  return null;
}

async function openCheckout(context: Context, account: AccountRow, offer: Offer): Promise<string> {
  const known = await findSubscription(context, account.id);
  const customerId = known?.customer_id ?? (await newCustomer(context, account, null));
  try {
    return await checkoutOf(context, account, customerId, offer);
  } catch (error) {
    if (!(error instanceof UnknownCustomer)) throw error;
    // The operator has left the provider's test mode.
    return checkoutOf(context, account, await newCustomer(context, account, customerId), offer);
  }
}

/** The id is stored before anything can be paid, so that each payment belongs to a known customer. */
async function newCustomer(context: Context, account: AccountRow, before: string | null): Promise<string> {
  const { id: accountId, email } = account;
  const serviceId = await serviceIdOf(context.db);
  const customerId = await context.payments.customerFor({ accountId, email, serviceId, before });
  await context.db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    const stored = await tx
      .updateTable('subscriptions')
      .set({ customer_id: customerId })
      .where('account_id', '=', accountId)
      .where('customer_id', before === null ? 'is' : '=', before)
      // If the owner deletes the account meanwhile, no customer that could pay may remain.
      .where((eb) =>
        eb.exists(eb.selectFrom('accounts').select('id').where('id', '=', accountId).where('closed_at', 'is', null)),
      )
      .executeTakeFirst();
    if (Number(stored.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
  });
  return customerId;
}

async function checkoutOf(context: Context, account: AccountRow, customerId: string, offer: Offer): Promise<string> {
  const { payments } = context;
  const { origins } = context.config;
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

async function expectPayment({ db, clock }: Context, accountId: string): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ checkout_opened_at: clock.now() })
    .where('account_id', '=', accountId)
    .execute();
}

const checkoutValidFor = hours(24);
const askEvery = seconds(3);

/** A user may return from the provider before its event arrives. */
export async function pollAfterCheckout(context: Context, accountId: string): Promise<void> {
  const row = await findSubscription(context, accountId);
  const now = context.clock.now();
  if (!row?.customer_id || row.checkout_opened_at === null) return;
  if (row.checkout_opened_at < now - checkoutValidFor || now - row.read_at < askEvery) return;
  // Of simultaneous callers, only one queries. A failed query counts too: the next one waits just as long.
  const claimed = await context.db
    .updateTable('subscriptions')
    .set({ read_at: now })
    .where('account_id', '=', accountId)
    .where('read_at', '=', row.read_at)
    .executeTakeFirst();
  if (Number(claimed.numUpdatedRows) !== 1) return;
  try {
    await refreshSubscription(context, { accountId, customerId: row.customer_id });
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
  }
}
