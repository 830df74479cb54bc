import type { Context } from '../context.ts';
import { readFact, writeFact } from '../engines/database/service-facts.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { followCustomer } from './follow-customer.ts';

/** The fact that the customers were listed; its value is the time of the restore after which they were. */
const listed = 'customers listed';

export interface FollowedAfterRestore {
  /** Accounts that have what they pay for from now on. */
  readonly found: number;
  /** Customers that paid for nothing that is here. */
  readonly ended: number;
  /** Why not all could be followed up; then the next night begins again. */
  readonly problem: PaymentsUnavailable | null;
}

/**
 * Lists the provider's customers once after each restore, and follows up those who are none here: what was bought after
 * the backup is known at the provider only. Answers null when that is done.
 */
export async function followAfterRestore(context: Context, signal: AbortSignal): Promise<FollowedAfterRestore | null> {
  const { db, clock } = context;
  const restored = await readFact(db, 'restored');
  if (!restored) return null;
  const value = String(restored.at);
  if ((await readFact(db, listed))?.value === value) return null;
  const followed = await followAll(context, signal);
  if (!followed.problem) await writeFact(db, listed, { value, at: clock.now() });
  return followed;
}

/** When so many in a row could not be followed up, the provider is down, and each of them takes its time. */
const givesUpAfter = 20;

/** One that cannot be followed up holds no other up; when the list itself ends early the rest waits. */
async function followAll(context: Context, signal: AbortSignal): Promise<FollowedAfterRestore> {
  const { payments, log } = context;
  let [found, ended, failedInARow] = [0, 0, 0];
  let problem: PaymentsUnavailable | null = null;
  try {
    for await (const customer of payments.customers()) {
      signal.throwIfAborted();
      if (await isKnown(context, customer.id)) continue;
      try {
        const end = await followCustomer(context, customer);
        if (end === 'found') found += 1;
        if (end === 'ended') ended += 1;
        failedInARow = 0;
      } catch (error) {
        if (!(error instanceof PaymentsUnavailable)) throw error;
        problem = error;
        log.warn({ customer: customer.id, err: error }, 'a customer could not be followed up after a restore');
        if ((failedInARow += 1) === givesUpAfter) break;
      }
    }
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    problem = error;
  }
  return { found, ended, problem };
}

async function isKnown({ db }: Context, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row !== undefined;
}
