import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { AccountRow, SubscriptionRow } from '../storage/db/schema.ts';
import { PaymentsUnavailable, type ProviderSubscription, UnknownCustomer } from '../services/payments/payments.ts';
import type { Serve } from '../http/serve.ts';
import { days, hours, minutes } from '../lib/clock.ts';
import { checkProvider } from './provider.ts';
import { alarmOnce, isNotEnded, refreshSubscription } from './snapshots.ts';

const lease = minutes(5);
const firstWait = minutes(1);
const longestWait = hours(6);
const alarmAfter = days(1);
/** At most, between the provider's machines and ours. */
const clocksDiffer = minutes(1);

export async function findDueCancellations(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('cancel_requested_at', 'is not', null)
    .where('cancel_due_at', '<=', clock.now())
    .orderBy('cancel_due_at')
    .limit(most)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

export async function cancelSubscription(context: Context, accountId: string): Promise<boolean> {
  const now = context.clock.now();
  const row = await context.db
    .updateTable('subscriptions')
    .set((eb) => ({ cancel_due_at: now + lease, cancel_attempts: eb('cancel_attempts', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('cancel_requested_at', 'is not', null)
    .where('cancel_due_at', '<=', now)
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  try {
    if (row.customer_id !== null) await endCustomer(context, row, row.customer_id);
  } catch (error) {
    await tryLater(context, row, error);
    return false;
  }
  await updateClaimed(context, row, { cancel_requested_at: null, cancel_attempts: 0 });
  return true;
}

/** In the other order, a checkout could be paid in between. @throws {PaymentsUnavailable} */
async function endCustomer(context: Context, row: SubscriptionRow, customerId: string): Promise<void> {
  const { payments } = context;
  const { account_id: accountId } = row;
  try {
    await payments.closeCheckouts(customerId);
    for (const each of (await payments.subscriptions(customerId)).filter(isNotEnded)) {
      if (isPaidAfterClosing(each, row))
        await alarmOnce(context, each.latestInvoice ?? each.id, { account: accountId, subscription: each.id }, refund);
      await payments.cancel(each.id);
    }
    const left = (await payments.subscriptions(customerId)).filter(isNotEnded);
    if (left.length > 0) throw new PaymentsUnavailable(undefined, `${left.length} subscriptions have not ended`);
    await refreshSubscription(context, { accountId, customerId });
  } catch (error) {
    // At the provider that sold the plans, only a customer of its test mode is unknown, who pays for nothing.
    if (!(error instanceof UnknownCustomer) || !(await checkProvider(context))) throw error;
  }
}

const refund =
  'a payment was made after the account had been deleted: a purchase, a renewal, an overdue payment or another plan. ' +
  'The subscription is ended: refund the payment at the payment provider';

/** Compares with what the owner had when the account was closed, because clocks of two machines differ. */
const isPaidAfterClosing = ({ id, status, offer, periodEndsAt }: ProviderSubscription, row: SubscriptionRow): boolean =>
  status === 'active' &&
  (id !== row.subscription_id ||
    (offer?.level ?? null) !== row.level ||
    (offer?.period ?? null) !== row.period ||
    // It was overdue.
    row.grace_ends_at !== null ||
    periodEndsAt > (row.period_ends_at ?? 0));

/** An invoice that was left open can be paid after its subscription has ended, and changes nothing there. */
export async function alarmIfPaidAfterClosing(
  context: Context,
  { id, closed_at }: Pick<AccountRow, 'id' | 'closed_at'>,
  { invoice, at }: { readonly invoice: string; readonly at: number },
): Promise<void> {
  if (closed_at !== null && at > closed_at - clocksDiffer)
    await alarmOnce(context, invoice, { account: id, invoice }, refund);
}

async function tryLater(context: Context, row: SubscriptionRow, error: unknown): Promise<void> {
  const now = context.clock.now();
  const wait = Math.min(longestWait, firstWait * 2 ** Math.min(row.cancel_attempts - 1, 20));
  await updateClaimed(context, row, { cancel_due_at: now + Math.ceil(wait * (0.5 + Math.random() / 2)) });
  const facts = { account: row.account_id, customer: row.customer_id, attempts: row.cancel_attempts, err: error };
  if (now - (row.cancel_requested_at ?? now) >= alarmAfter)
    context.log.error(
      facts,
      'ALARM: the subscription of a deleted account could not be ended for a day and still costs money',
    );
  else context.log.warn(facts, 'the subscription of a deleted account could not be ended and will be retried');
}

/** If the lease expired, another process may hold it now. */
async function updateClaimed({ db }: Context, row: SubscriptionRow, change: Partial<SubscriptionRow>): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set(change)
    .where('account_id', '=', row.account_id)
    .where('cancel_attempts', '=', row.cancel_attempts)
    .execute();
}

export interface Cancellations extends AsyncDisposable {
  settled(): Promise<void>;
}

export function cancelAfterClosing(
  serve: Serve<Caller>,
  context: Context,
): { serve: Serve<Caller>; cancellations: Cancellations } {
  const running = new Set<Promise<unknown>>();
  const begin = (accountId: string) => {
    const ended = cancelSubscription(context, accountId)
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'a subscription is left to the job cancel-subscriptions'),
      )
      .finally(() => running.delete(ended));
    running.add(ended);
  };
  const settled = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    serve: (name, handler) =>
      serve(name, async (call) => {
        const reply = await handler(call);
        if (name === 'deleteAccount' && call.caller) begin(call.caller.account.id);
        return reply;
      }),
    cancellations: { settled, [Symbol.asyncDispose]: settled },
  };
}
