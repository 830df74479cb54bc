/**
 * Follows up a customer at the provider who is none here: a restore has lost what was bought after the backup, and
 * the provider goes on taking money for it. The customer's metadata says for which account of which service it was made.
 */
import type { Context } from '../context.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { readFact } from '../engines/database/service-facts.ts';
import { type ProviderCustomer, UnknownCustomer } from '../engines/payments/payments.ts';
import { endCustomer, paysForAnything } from './end-customer.ts';
import { endSubscription } from './end-subscription.ts';
import { findSubscription, isPaid } from './find-subscription.ts';
import { noteOnce } from './note-once.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { isOfAnother, serviceIdOf } from './service-id.ts';

/**
 * `others`: of another service. `found`: of an open account, which has what it pays for from now on. `ended`: it paid for
 * nothing that is here. `left`: nothing was to be done, or it is the operator's.
 */
export type Followed = 'others' | 'found' | 'ended' | 'left';

/** @throws {PaymentsUnavailable} Nothing is lost then: following it again finds the same. */
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
  // Somebody may have deleted the account since.
  if (applied?.closed) await endSubscription(context, accountId);
  context.log.warn(
    { account: accountId, customer: customerId },
    'an account was found to be a customer that was not known here',
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

/** Gives an open account its customer, unless it has another one by now than `before`. */
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

/** The job that ends subscriptions goes on with it should this fail half-way. */
async function endOfClosed(context: Context, customer: ProviderCustomer): Promise<Followed> {
  const { db, clock } = context;
  const { id: customerId, accountId } = customer;
  const paid = await paysForAnything(context, customerId);
  // Before it is ended: afterwards nothing tells of it any more.
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
  await endSubscription(context, accountId);
  return paid ? 'ended' : 'left';
}

/**
 * An account that was never here. One of this service that was made before its last restore went with the restore. Any
 * other may be an account of another copy of this service, which is not ours to end.
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

/** Each event of a customer, and each night after a restore, would say the same. */
async function alarmOnce(context: Context, { id, accountId }: ProviderCustomer, message: string): Promise<void> {
  if (await noteOnce(context, `alarm about ${id}`, 'alarm'))
    context.log.error({ account: accountId, customer: id }, message);
}
