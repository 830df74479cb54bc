/**
 * A deleted account must not pay for anything: its subscription is canceled at the provider, with retries until the
 * provider confirms it.
 */
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Schema, SubscriptionRow } from '../engines/database/schema.ts';
import { UnknownCustomer } from '../engines/payments/payments.ts';
import { days, hours, minutes } from '../lib/clock.ts';
import type { Customer } from './apply-snapshot.ts';
import { endCustomer, paysForAnything } from './end-customer.ts';
import { noteUnknown } from './note-unknown-customer.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { isOfAnother, serviceIdOf } from './service-id.ts';

/** Longer than the provider requests of one attempt. A process that has not finished by then has been killed. */
const lease = minutes(5);
const firstWait = minutes(1);
const longestWait = hours(6);
/** Wait for a customer unknown to the provider. The nightly snapshot tries sooner if the customer is known again. */
const unknownWait = days(30);
const alarmAfter = days(1);

/** Returns the accounts with a due cancellation, longest waiting first. */
export async function findDueCancellations(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('cancel_requested_at', 'is not', null)
    .where(isDue(clock.now()))
    .orderBy('cancel_due_at')
    .limit(most)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/**
 * Returns whether a new snapshot from the provider confirms that nothing is paid for. Only one process tries at a time.
 */
export async function cancelSubscription(context: Context, accountId: string): Promise<boolean> {
  const row = await claim(context, accountId);
  if (!row) return false;
  try {
    await endAll(context, row);
  } catch (error) {
    if (error instanceof UnknownCustomer) await waitUntilKnown(context, row, error);
    else await tryLater(context, row, error);
    return false;
  }
  await context.db
    .updateTable('subscriptions')
    .set({ cancel_requested_at: null, cancel_attempts: 0 })
    .where('account_id', '=', accountId)
    .where('cancel_attempts', '=', row.cancel_attempts)
    .execute();
  return true;
}

async function claim({ db, clock }: Context, accountId: string): Promise<SubscriptionRow | undefined> {
  const now = clock.now();
  return db
    .updateTable('subscriptions')
    .set((eb) => ({ cancel_due_at: now + lease, cancel_attempts: eb('cancel_attempts', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('cancel_requested_at', 'is not', null)
    .where(isDue(now))
    .returningAll()
    .executeTakeFirst();
}

/** A due time further ahead than the longest wait was written before the clock was set back. */
const isDue = (now: number) => (eb: ExpressionBuilder<Schema, 'subscriptions'>) =>
  eb.or([
    eb('cancel_due_at', '<=', now),
    eb('cancel_due_at', '>', now + unknownWait),
    eb.and([eb('unknown_since', 'is', null), eb('cancel_due_at', '>', now + longestWait)]),
  ]);

/** Ends the customer known here, then the account's other customers: a restore may have lost or replaced them. */
async function endAll(
  context: Context,
  { account_id: accountId, customer_id: customerId }: SubscriptionRow,
): Promise<void> {
  const unknown = customerId === null ? null : await endKnown(context, { accountId, customerId });
  const own = await serviceIdOf(context.db);
  for await (const customer of context.payments.customers(accountId)) {
    if (customer.id === customerId || isOfAnother(customer, own)) continue;
    if (await paysForAnything(context, customer.id))
      context.log.warn(
        { account: accountId, customer: customer.id },
        'a deleted account paid as an unknown customer, whose subscriptions are being ended',
      );
    await endCustomer(context, customer.id);
  }
  if (unknown) throw unknown;
}

async function endKnown(context: Context, customer: Customer): Promise<UnknownCustomer | null> {
  try {
    await endCustomer(context, customer.customerId);
    await refreshSubscription(context, customer);
    return null;
  } catch (error) {
    if (error instanceof UnknownCustomer) return error;
    throw error;
  }
}

async function waitUntilKnown(context: Context, row: SubscriptionRow, error: UnknownCustomer): Promise<void> {
  if (row.customer_id !== null)
    await noteUnknown(context, { accountId: row.account_id, customerId: row.customer_id }, error);
  await dueAt(context, row, context.clock.now() + unknownWait);
}

async function tryLater(context: Context, row: SubscriptionRow, error: unknown): Promise<void> {
  const { clock, log } = context;
  const now = clock.now();
  const since = row.cancel_requested_at ?? now;
  const wait = Math.min(longestWait, firstWait * 2 ** Math.min(row.cancel_attempts - 1, 20));
  await dueAt(context, row, now + Math.ceil(wait * (0.5 + Math.random() / 2)));
  const facts = { account: row.account_id, customer: row.customer_id, attempts: row.cancel_attempts, err: error };
  if (now - since >= alarmAfter)
    log.error(
      facts,
      row.customer_id === null
        ? 'ALARM: the payment provider has not responded for a day, so a deleted account may still be paying'
        : 'ALARM: the subscription of a deleted account could not be ended for a day and still costs money',
    );
  else log.warn(facts, 'the subscription of a deleted account could not be ended and will be retried');
}

async function dueAt({ db }: Context, row: SubscriptionRow, time: number): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ cancel_due_at: time })
    .where('account_id', '=', row.account_id)
    // If the lease expired, another process may hold it now.
    .where('cancel_attempts', '=', row.cancel_attempts)
    .execute();
}
