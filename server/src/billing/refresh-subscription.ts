/**
 * Re-reads what a customer pays for. Only the provider's current state counts, so the order of events does not matter.
 */
import type { Context } from '../context.ts';
import { UnknownCustomer } from '../engines/payments/payments.ts';
import { type Applied, applySnapshot, type Customer } from './apply-snapshot.ts';
import { noteUnknown } from './note-unknown-customer.ts';

/**
 * Takes a snapshot from the provider and stores it. Snapshots are numbered when they begin. One overtaken by a later
 * snapshot is dropped, because the later one includes everything it contains; in that case this returns null.
 * @throws {PaymentsUnavailable} and `UnknownCustomer`, after that was recorded.
 */
export async function refreshSubscription(context: Context, customer: Customer): Promise<Applied | null> {
  const snapshot = await beginSnapshot(context, customer);
  if (snapshot === undefined) return null;
  const subscriptions = await context.payments.subscriptions(customer.customerId).catch(async (error: unknown) => {
    if (error instanceof UnknownCustomer) await noteUnknown(context, customer, error);
    throw error;
  });
  const applied = await applySnapshot(context, customer, snapshot, subscriptions);
  if (applied?.changed) context.changes.note(customer.accountId);
  if (applied) await endSurplus(context, customer, applied);
  return applied;
}

async function beginSnapshot({ db }: Context, { accountId, customerId }: Customer): Promise<number | undefined> {
  const row = await db
    .updateTable('subscriptions')
    .set((eb) => ({ snapshots_begun: eb('snapshots_begun', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .returning('snapshots_begun')
    .executeTakeFirst();
  return row?.snapshots_begun;
}

async function endSurplus({ payments, log }: Context, { accountId }: Customer, applied: Applied): Promise<void> {
  const { kept, surplus, unreadable } = applied.picked;
  for (const { id } of unreadable)
    log.error({ account: accountId, subscription: id }, 'ALARM: a subscription is at a price that STRIPE_PRICES lacks');
  if (kept && kept.times > 1)
    log.error(
      { account: accountId, subscription: kept.id, times: kept.times },
      'ALARM: an account pays for more than one plan in one subscription. Reduce the subscription to one plan, and refund the rest',
    );
  for (const { id } of surplus) {
    log.error(
      { account: accountId, kept: kept?.id, ended: id },
      'ALARM: an account paid for two subscriptions. The lesser one was ended: refund it at the payment provider',
    );
    await payments.cancel(id);
  }
}
