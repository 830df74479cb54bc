/** Re-reads what a customer pays for. The provider's state alone counts, so the order of events does not matter. */
import type { Context } from '../context.ts';
import { UnknownCustomer } from '../engines/payments/payments.ts';
import { type Applied, applyReading, type Customer } from './apply-reading.ts';
import { noteUnknown } from './note-unknown.ts';

/**
 * Reads and writes down what it found. Readings are numbered as they begin, and one that a later one has overtaken is
 * dropped: the later one has seen whatever it saw. Answers null then.
 * @throws {PaymentsUnavailable} and `UnknownCustomer`, after that was noted.
 */
export async function refreshSubscription(context: Context, customer: Customer): Promise<Applied | null> {
  const reading = await beginReading(context, customer);
  if (reading === undefined) return null;
  const subscriptions = await context.payments.subscriptions(customer.customerId).catch(async (error: unknown) => {
    if (error instanceof UnknownCustomer) await noteUnknown(context, customer, error);
    throw error;
  });
  const applied = await applyReading(context, customer, reading, subscriptions);
  if (applied) await endSurplus(context, customer, applied);
  return applied;
}

async function beginReading({ db }: Context, { accountId, customerId }: Customer): Promise<number | undefined> {
  const row = await db
    .updateTable('subscriptions')
    .set((eb) => ({ readings_begun: eb('readings_begun', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .returning('readings_begun')
    .executeTakeFirst();
  return row?.readings_begun;
}

async function endSurplus({ payments, log }: Context, { accountId }: Customer, applied: Applied): Promise<void> {
  const { kept, surplus, unreadable } = applied.judged;
  for (const { id } of unreadable)
    log.error({ account: accountId, subscription: id }, 'ALARM: a subscription is at a price that STRIPE_PRICES lacks');
  if (kept && kept.times > 1)
    log.error(
      { account: accountId, subscription: kept.id, times: kept.times },
      'ALARM: an account pays for more than one plan in one subscription. Leave it one, and refund the rest',
    );
  for (const { id } of surplus) {
    log.error(
      { account: accountId, kept: kept?.id, ended: id },
      'ALARM: an account paid for two subscriptions. The lesser one is ended: refund it at the payment provider',
    );
    await payments.cancel(id);
  }
}
