import { UnusableSetting } from '../config/setting-errors.ts';
import type { Context } from '../context.ts';
import { serviceIdFact } from '../storage/blobs/storage-owner.ts';
import type { Database } from '../storage/db/database.ts';
import { readFact, writeFact } from '../storage/db/service-facts.ts';
import { PaymentsUnavailable, UnknownCustomer } from '../services/payments/payments.ts';
import { sha256Hex } from '../lib/derive-key.ts';

export const providerFact = 'payments key';

/**
 * Notes the key and its mode at the first use. Another one must know a customer who pays, unless that mode was test.
 * Returns false if the provider is unavailable.
 */
export async function checkProvider({ db, clock, config, payments, log }: Context): Promise<boolean> {
  if (config.payments.engine === 'none') return true;
  const { secretKey } = config.payments;
  const value = `${/^.k_test_/.test(secretKey) ? 'test' : 'live'} ${sha256Hex(secretKey)}`;
  const noted = await readFact(db, providerFact);
  if (noted?.value === value) return true;
  const payer = await db
    .selectFrom('subscriptions')
    .select('customer_id')
    .where('customer_id', 'is not', null)
    .where('status', 'in', ['active', 'past_due'])
    .where('grace_over', '=', 0)
    // Customers of a test mode that was left are not read any more.
    .where('read_at', '>=', noted?.at ?? 0)
    .orderBy('read_at', 'desc')
    .executeTakeFirst();
  try {
    if (payer?.customer_id && !noted?.value.startsWith('test')) await payments.subscriptions(payer.customer_id);
  } catch (error) {
    if (error instanceof UnknownCustomer) throw new UnusableSetting('STRIPE_SECRET_KEY', new Error(otherProvider));
    if (!(error instanceof PaymentsUnavailable)) throw error;
    log.error({ err: error }, `ALARM: STRIPE_SECRET_KEY could not be checked. ${error.message}`);
    return false;
  }
  await writeFact(db, providerFact, { value, at: clock.now() });
  return true;
}

const otherProvider =
  'it belongs to another Stripe account or mode than the one that accounts pay through. Use a key of that one, or end ' +
  'their subscriptions there first';

export async function checkPrices({ payments, log }: Pick<Context, 'payments' | 'log'>): Promise<void> {
  try {
    for (const { problem } of await payments.checkPrices()) log.error(`ALARM: ${problem}. It is not sold`);
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    log.error({ err: error }, `ALARM: prices could not be checked. ${error.message}`);
  }
}

/** Tells customers of several services at one provider account apart. */
export async function serviceIdOf(db: Database): Promise<string | null> {
  return (await readFact(db, serviceIdFact))?.value ?? null;
}
