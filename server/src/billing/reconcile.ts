import type { Context } from '../context.ts';
import { PaymentsUnavailable, UnknownCustomer } from '../engines/payments/payments.ts';
import { days } from '../lib/clock.ts';
import type { Customer } from './apply-snapshot.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** Result of re-reading one customer: with `unknown` the provider responded, with `failed` it did not. */
export type Reread = 'changed' | 'same' | 'unknown' | 'failed';

/** Position in the order of snapshots, oldest first. */
interface Place {
  readonly readAt: number;
  readonly accountId: string;
}

/** The number of parallel queries: the provider's rate limit is shared with users who are buying right now. */
const atOnce = 4;
const customersPerPage = 500;

/**
 * Re-reads all customers whose last snapshot is older than `until`, oldest first, and yields the results of each small
 * batch. One failure does not hold up the others.
 */
export async function* rereadCustomers(context: Context, until: number): AsyncGenerator<readonly Reread[]> {
  for (let place: Place | null = null; ;) {
    const customers: (Customer & Place)[] = await customersAfter(context, until, place, customersPerPage);
    for (let at = 0; at < customers.length; at += atOnce)
      yield Promise.all(customers.slice(at, at + atOnce).map((each) => reread(context, each)));
    place = customers.at(-1) ?? null;
    if (!place || customers.length < customersPerPage) return;
  }
}

async function reread(context: Context, customer: Customer): Promise<Reread> {
  try {
    const applied = await refreshSubscription(context, customer);
    return applied?.changed ? 'changed' : 'same';
  } catch (error) {
    if (error instanceof UnknownCustomer) return 'unknown';
    if (!(error instanceof PaymentsUnavailable)) throw error;
    context.log.warn(
      { account: customer.accountId, err: error },
      'a subscription could not be read and keeps its last state',
    );
    return 'failed';
  }
}

/**
 * All customers except those of deleted accounts for which the provider has confirmed that nothing is paid any more.
 */
async function customersAfter(
  { db }: Context,
  until: number,
  place: Place | null,
  most: number,
): Promise<(Customer & Place)[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .select(['account_id', 'customer_id', 'read_at'])
    .where('customer_id', 'is not', null)
    // A snapshot dated more than a day ahead was recorded before the clock was set back.
    .where((eb) => eb.or([eb('read_at', '<', until), eb('read_at', '>', until + days(1))]))
    .where((eb) =>
      eb.or([
        eb('accounts.closed_at', 'is', null),
        eb('status', 'in', ['active', 'past_due']),
        eb('cancel_requested_at', 'is not', null),
      ]),
    )
    .$if(place !== null, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('read_at', 'account_id'), '>', eb.tuple(place?.readAt ?? 0, place?.accountId ?? '')),
      ),
    )
    .orderBy('read_at')
    .orderBy('account_id')
    .limit(most)
    .execute();
  return rows.flatMap(({ account_id, customer_id, read_at }) =>
    customer_id === null ? [] : [{ accountId: account_id, customerId: customer_id, readAt: read_at }],
  );
}

/** The provider retries an event for three days at most. */
const eventsKeptFor = days(30);

/** Deletes records of handled events that cannot arrive again. Returns the number of deleted records. */
export async function forgetOldEvents({ db, clock }: Context, most: number): Promise<number> {
  const old = db
    .selectFrom('payment_events')
    .select('id')
    .where('received_at', '<', clock.now() - eventsKeptFor)
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('payment_events').where('id', 'in', old).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
