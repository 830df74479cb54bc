/** A deleted account pays for nothing: its subscription is ended at the provider, again and again until that is sure. */
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Schema, SubscriptionRow } from '../engines/database/schema.ts';
import { UnknownCustomer } from '../engines/payments/payments.ts';
import { days, hours, minutes } from '../lib/clock.ts';
import { noteUnknown } from './note-unknown.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** Longer than the provider is asked in one try; whoever has not finished by then has been killed. */
const lease = minutes(5);
const firstWait = minutes(1);
const longestWait = hours(6);
/** For a customer whom the provider does not know. The nightly reading tries sooner when it is known again. */
const unknownWait = days(30);
const alarmAfter = days(1);

/** What is due: the account of each, the longest waiting first. */
export async function findToEnd({ db, clock }: Pick<Context, 'db' | 'clock'>, most: number): Promise<string[]> {
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

/** Answers whether the provider has confirmed by a new reading that nothing is paid for. One process tries at a time. */
export async function endSubscription(context: Context, accountId: string): Promise<boolean> {
  const row = await claim(context, accountId);
  if (!row) return false;
  try {
    if (row.customer_id !== null) await endAll(context, accountId, row.customer_id);
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

/** A time further ahead than any wait was written before the clock was set back. */
const isDue = (now: number) => (eb: ExpressionBuilder<Schema, 'subscriptions'>) =>
  eb.or([
    eb('cancel_due_at', '<=', now),
    eb('cancel_due_at', '>', now + unknownWait),
    eb.and([eb('unknown_since', 'is', null), eb('cancel_due_at', '>', now + longestWait)]),
  ]);

/** First what could still be paid, then what is paid for: the other way round something could slip through between. */
async function endAll(context: Context, accountId: string, customerId: string): Promise<void> {
  const { payments } = context;
  await payments.closeCheckouts(customerId);
  for (const { id, status } of await payments.subscriptions(customerId))
    if (status !== 'ended') await payments.cancel(id);
  const left = (await payments.subscriptions(customerId)).filter(({ status }) => status !== 'ended');
  if (left.length > 0) throw new Error(`${left.length} subscriptions have not ended`);
  await refreshSubscription(context, { accountId, customerId });
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
  const facts = { account: row.account_id, customer: row.customer_id, attempts: row.cancel_attempts, err: error };
  if (now - since >= alarmAfter)
    log.error(facts, 'ALARM: the subscription of a deleted account could not be ended for a day and still costs money');
  else log.warn(facts, 'the subscription of a deleted account could not be ended and is tried again');
  await dueAt(context, row, now + Math.ceil(wait * (0.5 + Math.random() / 2)));
}

async function dueAt({ db }: Context, row: SubscriptionRow, time: number): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ cancel_due_at: time })
    .where('account_id', '=', row.account_id)
    // If the lease ran out, somebody else has it now.
    .where('cancel_attempts', '=', row.cancel_attempts)
    .execute();
}
