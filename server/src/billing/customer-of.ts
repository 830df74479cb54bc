import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { findSubscription } from './find-subscription.ts';
import { serviceIdOf } from './service-id.ts';

type Person = Pick<AccountRow, 'id' | 'email'>;

/**
 * The customer that an account is at the provider, made where there is none. It is written down before anything can be
 * paid, so that no payment is a stranger's.
 * @throws {PaymentsUnavailable}
 */
export async function customerOf(context: Context, account: Person): Promise<string> {
  const known = await findSubscription(context, account.id);
  return known?.customer_id ?? replaceCustomer(context, account, null);
}

/** For a customer that the provider does not know: what was bought as one still counts until the next reading. */
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
      // Whoever deletes their account meanwhile is to leave nothing behind that could be paid.
      .where((eb) =>
        eb.exists(eb.selectFrom('accounts').select('id').where('id', '=', account.id).where('closed_at', 'is', null)),
      )
      .executeTakeFirst();
    if (Number(stored.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
  });
  return customerId;
}
