import type { Context } from '../context.ts';
import { type PayingCustomer, PaymentsUnavailable, UnknownCustomer } from '../services/payments/payments.ts';
import { days } from '../lib/clock.ts';
import { serviceIdOf } from './provider.ts';
import { alarmOnce, type Customer, refreshSubscription } from './snapshots.ts';
import { findSubscription, isPaid } from './subscription.ts';

export type Reread = 'changed' | 'same' | 'unknown' | 'failed';

/** The provider's rate limit is shared with users who are buying right now. */
const atOnce = 4;
const customersPerPage = 500;

export async function* rereadCustomers(context: Context, until: number): AsyncGenerator<readonly Reread[]> {
  for (let place = { readAt: -1, accountId: '' }; ;) {
    const page = await customersAfter(context, until, place);
    for (let at = 0; at < page.length; at += atOnce)
      yield Promise.all(page.slice(at, at + atOnce).map((each) => reread(context, each)));
    const last = page.at(-1);
    if (!last || page.length < customersPerPage) return;
    place = last;
  }
}

async function reread(context: Context, customer: Customer): Promise<Reread> {
  const { accountId: account, customerId } = customer;
  try {
    const applied = await refreshSubscription(context, customer);
    return applied?.changed ? 'changed' : 'same';
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    if (!(error instanceof UnknownCustomer)) {
      context.log.warn({ account, err: error }, 'a subscription could not be read and keeps its last state');
      return 'failed';
    }
    if (isPaid(await findSubscription(context, account)))
      await alarmOnce(
        context,
        customerId,
        { account, customer: customerId },
        'an account has a plan of a customer that the payment provider does not know. The plan ends 30 days after ' +
          'its paid period: refund nothing, and give the account a plan if it should keep one',
      );
    return 'unknown';
  }
}

/** All but those of deleted accounts who pay for nothing any more. */
async function customersAfter(
  { db }: Context,
  until: number,
  { readAt, accountId }: { readonly readAt: number; readonly accountId: string },
): Promise<(Customer & { readonly readAt: number })[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .select(['account_id', 'customer_id', 'read_at'])
    .where('customer_id', 'is not', null)
    .where('read_at', '<', until)
    .where((eb) =>
      eb.or([
        eb('accounts.closed_at', 'is', null),
        eb('status', 'in', ['active', 'past_due']),
        eb('cancel_requested_at', 'is not', null),
      ]),
    )
    .where((eb) => eb(eb.refTuple('read_at', 'account_id'), '>', eb.tuple(readAt, accountId)))
    .orderBy('read_at')
    .orderBy('account_id')
    .limit(customersPerPage)
    .execute();
  return rows.map(({ account_id, customer_id, read_at }) => ({
    accountId: account_id,
    customerId: customer_id ?? '',
    readAt: read_at,
  }));
}

/** Raises an alarm for each customer who pays and belongs to no account here, such as after a restore. */
export async function findStrangers(context: Context, signal: AbortSignal): Promise<number> {
  const { db, payments } = context;
  const own = await serviceIdOf(db);
  let strangers = 0;
  for await (const customer of payments.payingCustomers()) {
    signal.throwIfAborted();
    if (customer.serviceId !== null && customer.serviceId !== own) continue;
    const known = await db
      .selectFrom('subscriptions')
      .select('account_id')
      .where('customer_id', '=', customer.id)
      .executeTakeFirst();
    if (known) continue;
    strangers += 1;
    const facts = { account: customer.accountId, customer: customer.id };
    await alarmOnce(context, customer.id, facts, await whatToDo(context, customer));
  }
  return strangers;
}

async function whatToDo({ db }: Context, { accountId }: PayingCustomer): Promise<string> {
  const open = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return open
    ? 'a customer pays for an account that has no record of it. Its owner gets the plan by choosing one on the pricing ' +
        'page, which leads to this customer; otherwise end and refund the subscription at the payment provider'
    : 'a customer pays for an account that is not here. End and refund the subscription at the payment provider, unless ' +
        'it is of another service there';
}

/** The provider retries an event for three days at most. */
const eventsKeptFor = days(30);

export async function forgetOldEvents({ db, clock }: Context, most: number): Promise<number> {
  const old = db
    .selectFrom('payment_events')
    .select('id')
    .where('received_at', '<', clock.now() - eventsKeptFor)
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('payment_events').where('id', 'in', old).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
