import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { ForgedEvent, type PaymentEvent, PaymentsUnavailable } from '../engines/payments/payments.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { followCustomer } from './follow-customer.ts';
import { noteOnce } from './note-once.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** @throws {Failure} INVALID_INPUT for what the provider did not send. */
export function readEvent({ payments }: Context, body: Buffer, signature: string): PaymentEvent {
  try {
    return payments.readEvent(body, signature);
  } catch (error) {
    if (error instanceof ForgedEvent) throw new Failure('INVALID_INPUT', error.message, { cause: error });
    throw error;
  }
}

/**
 * Handles an event of the provider. The event is recorded as handled only afterwards, so a failed one is handled when
 * the provider sends it again.
 * @throws {Failure} UNAVAILABLE when the provider cannot be queried.
 */
export async function handleEvent(context: Context, event: PaymentEvent): Promise<void> {
  const { customerId } = event;
  if (customerId === null || (await isHandled(context, event))) return;
  const customer = await context.db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  try {
    if (customer) await reread(context, customer.account_id, customerId);
    else if (!(await follow(context, event, customerId))) return;
  } catch (error) {
    if (error instanceof PaymentsUnavailable) throw new Failure('UNAVAILABLE', undefined, { cause: error });
    throw error;
  }
  await noteOnce(context, event.id, event.type);
}

async function reread(context: Context, accountId: string, customerId: string): Promise<void> {
  const applied = await refreshSubscription(context, { accountId, customerId });
  // A payment may have been made at the moment of the account's deletion.
  if (applied?.closed) await cancelSubscription(context, accountId);
}

/**
 * A customer unknown here may have been lost in a restore. Returns whether the customer belongs to a service like this
 * one.
 */
async function follow(context: Context, event: PaymentEvent, customerId: string): Promise<boolean> {
  const customer = await context.payments.customer(customerId);
  const followed = customer && (await followCustomer(context, customer));
  if (!followed || followed === 'others')
    context.log.info({ event: event.id, type: event.type, customer: customerId }, 'a payment event matches no account');
  return customer !== null;
}

async function isHandled({ db }: Context, { id }: PaymentEvent): Promise<boolean> {
  return (await db.selectFrom('payment_events').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
