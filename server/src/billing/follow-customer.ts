/**
 * Follows up a customer of the provider who is unknown here: a restore has lost what was bought after the backup, and
 * the provider still takes money for it. The customer's metadata names the account and the service.
 */
import type { Context } from '../context.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { readFact } from '../engines/database/service-facts.ts';
import { type ProviderCustomer, UnknownCustomer } from '../engines/payments/payments.ts';
import { endCustomer, paysForAnything } from './end-customer.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { findSubscription, isPaid } from './find-subscription.ts';
import { noteOnce } from './note-once.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { isOfAnother, serviceIdOf } from './service-id.ts';

/**
 * `others`: belongs to another service. `found`: belongs to an open account, which has its paid plan from now on.
 * `ended`: paid for nothing that exists here. `left`: nothing to do, or left to the operator.
 */
export type Followed = 'others' | 'found' | 'ended' | 'left';

/** @throws {PaymentsUnavailable} Safe to retry: following up the customer again has the same result. */
export async function followCustomer(context: Context, customer: ProviderCustomer): Promise<Followed> {
  const own = await serviceIdOf(context.db);
  if (isOfAnother(customer, own)) return 'others';
  const account = await context.db
    .selectFrom('accounts')
    .select('closed_at')
    .where('id', '=', customer.accountId)
    .executeTakeFirst();
  if (!account) return followLost(context, customer, own);
  return account.closed_at === null ? adopt(context, customer) : endOfClosed(context, customer);
}

async function adopt(context: Context, customer: ProviderCustomer): Promise<Followed> {
  const { id: customerId, accountId } = customer;
  const before = (await findSubscription(context, accountId))?.customer_id ?? null;
  if (before !== null && before !== customerId) {
    if (!(await paysForAnything(context, customerId))) return 'left';
    if (await stillPays(context, accountId, before)) {
      await alarmOnce(
        context,
        customer,
        `ALARM: an account pays as two customers, ${before} and ${customerId}. The first one counts here: ` +
          'end and refund what the other one pays for at the payment provider',
      );
      return 'left';
    }
  }
  const linked = await link(context, customer, before);
  if (linked === 'closed') return endOfClosed(context, customer);
  if (linked === 'other') return 'left';
  const applied = await refreshSubscription(context, { accountId, customerId });
  // The account may have been deleted since.
  if (applied?.closed) await cancelSubscription(context, accountId);
  context.log.warn(
    { account: accountId, customer: customerId },
    'an account was matched to a customer that was unknown before',
  );
  return 'found';
}

async function stillPays(context: Context, accountId: string, customerId: string): Promise<boolean> {
  try {
    await refreshSubscription(context, { accountId, customerId });
    return isPaid(await findSubscription(context, accountId));
  } catch (error) {
    if (error instanceof UnknownCustomer) return false;
    throw error;
  }
}

/** Links a customer to an open account, unless the account has a customer other than `before` by now. */
function link(
  { db }: Pick<Context, 'db'>,
  { id: customerId, accountId }: ProviderCustomer,
  before: string | null,
): Promise<'linked' | 'closed' | 'other'> {
  return db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    const open = await tx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (!open) return 'closed';
    const linked = await tx
      .insertInto('subscriptions')
      .values({ account_id: accountId, customer_id: customerId })
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet({ customer_id: customerId, unknown_since: null })
          .where((eb) =>
            eb.or([
              eb('subscriptions.customer_id', 'is', null),
              eb('subscriptions.customer_id', 'in', [customerId, before ?? customerId]),
            ]),
          ),
      )
      .executeTakeFirst();
    return Number(linked.numInsertedOrUpdatedRows ?? 0) === 1 ? 'linked' : 'other';
  });
}

/** If this fails half-way, the job that ends subscriptions continues. */
async function endOfClosed(context: Context, customer: ProviderCustomer): Promise<Followed> {
  const { db, clock } = context;
  const { id: customerId, accountId } = customer;
  const paid = await paysForAnything(context, customerId);
  // This comes before the cancellation, after which nothing shows the payment any more.
  if (paid)
    await alarmOnce(
      context,
      customer,
      `ALARM: a deleted account still pays as the customer ${customerId}. It is being ended: refund it at the payment provider`,
    );
  const now = clock.now();
  await db
    .insertInto('subscriptions')
    .values({ account_id: accountId, customer_id: customerId, cancel_requested_at: now })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        customer_id: eb.fn.coalesce('subscriptions.customer_id', 'excluded.customer_id'),
        cancel_requested_at: eb.fn.coalesce('subscriptions.cancel_requested_at', 'excluded.cancel_requested_at'),
        cancel_due_at: 0,
      })),
    )
    .execute();
  await endCustomer(context, customerId);
  await cancelSubscription(context, accountId);
  return paid ? 'ended' : 'left';
}

/**
 * Handles a customer whose account does not exist here. If the customer belongs to this service and was created before
 * its last restore, the restore has lost the account. Any other customer may belong to another copy of this service,
 * and must not be ended here.
 */
async function followLost(context: Context, customer: ProviderCustomer, own: string | null): Promise<Followed> {
  const { id: customerId, accountId, serviceId, createdAt } = customer;
  if (!(await paysForAnything(context, customerId))) return 'left';
  const restored = await readFact(context.db, 'restored');
  if (own === null || serviceId !== own || !restored || createdAt > restored.at) {
    await alarmOnce(
      context,
      customer,
      `ALARM: the customer ${customerId} pays for the account ${accountId}, which is not here. It may be of another ` +
        'service at the same payment provider, and is left alone: if it is of none, end and refund it there',
    );
    return 'left';
  }
  await alarmOnce(
    context,
    customer,
    `ALARM: the customer ${customerId} pays for the account ${accountId}, which was made after the backup that was ` +
      'restored. It is being ended: refund it at the payment provider',
  );
  await endCustomer(context, customerId);
  return 'ended';
}

/** Every event of a customer, and every night after a restore, would repeat the alarm. */
async function alarmOnce(context: Context, { id, accountId }: ProviderCustomer, message: string): Promise<void> {
  if (await noteOnce(context, `alarm about ${id}`, 'alarm'))
    context.log.error({ account: accountId, customer: id }, message);
}
