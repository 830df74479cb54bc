import type { Context } from '../context.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';

/**
 * Cancels all that a customer pays for or could still pay for, and then reads again to verify. Checkouts are closed
 * before subscriptions are canceled; in the other order, a checkout could be paid in between.
 * @throws {PaymentsUnavailable}
 */
export async function endCustomer({ payments }: Pick<Context, 'payments'>, customerId: string): Promise<void> {
  await payments.closeCheckouts(customerId);
  for (const { id, status } of await payments.subscriptions(customerId))
    if (status !== 'ended') await payments.cancel(id);
  const left = (await payments.subscriptions(customerId)).filter(({ status }) => status !== 'ended');
  if (left.length > 0) throw new PaymentsUnavailable(undefined, `${left.length} subscriptions have not ended`);
}

/** Returns whether a customer pays for something, or is about to. */
export async function paysForAnything({ payments }: Pick<Context, 'payments'>, customerId: string): Promise<boolean> {
  return (await payments.subscriptions(customerId)).some(({ status }) => status !== 'ended');
}
