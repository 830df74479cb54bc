import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { findSubscription } from './find-subscription.ts';
import { serviceIdOf } from './service-id.ts';

type Person = Pick<AccountRow, 'id' | 'email'>;

/**
 * Returns the provider's customer id for an account, and creates the customer if there is none. The id is stored before
 * anything can be paid, so that each payment belongs to a known customer.
 * @throws {PaymentsUnavailable}
 */
export async function customerOf(context: Context, account: Person): Promise<string> {
  const known = await findSubscription(context, account.id);
  return known?.customer_id ?? replaceCustomer(context, account, null);
}

/**
 * Replaces a customer that the provider does not know. What the old customer bought still counts until the next
 * snapshot.
 */
export async function replaceCustomer(context: Context, account: Person, before: string | null): Promise<string> {
  const serviceId = await serviceIdOf(context.db);
  const { id: accountId, email } = account;
  const customerId = await context.payments.customerFor({ accountId, email, serviceId, before });
  await context.db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', account.id));
    const stored = await tx
      .updateTable('subscriptions')
      .set({ customer_id: customerId, unknown_since: null })
      .where('account_id', '=', account.id)
      .where('customer_id', before === null ? 'is' : '=', before)
      // If the owner deletes the account meanwhile, no customer that could pay may remain.
      .where((eb) =>
        eb.exists(eb.selectFrom('accounts').select('id').where('id', '=', account.id).where('closed_at', 'is', null)),
      )
      .executeTakeFirst();
    if (Number(stored.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
  });
  return customerId;
}
