import type { Context } from '../context.ts';
import { readFact, writeFact } from '../engines/database/service-facts.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';
import { followCustomer } from './follow-customer.ts';

/** Fact that the customers were listed; its value is the time of the restore that preceded it. */
const listed = 'customers listed';

export interface FollowedAfterRestore {
  /** Accounts whose paid plan was recovered. */
  readonly found: number;
  /** Customers that paid for nothing that exists here. */
  readonly ended: number;
  /** The reason that some customers could not be followed up. If set, the next night starts over. */
  readonly problem: PaymentsUnavailable | null;
}

/**
 * Lists the provider's customers once after each restore, and follows up those unknown here: purchases made after the
 * backup are known only to the provider. Returns null if this was done before.
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

/** After this number of failures in a row the provider is considered down, and each further attempt would cost time. */
const givesUpAfter = 20;

/** One failed customer does not hold up the others. If the list itself breaks off, the rest waits. */
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
