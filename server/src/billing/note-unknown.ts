import type { Context } from '../context.ts';
import type { Customer } from './apply-reading.ts';
import { isPaid } from './find-subscription.ts';

/**
 * Notes since when the provider does not know a customer, and logs that once: it says the same every night until somebody
 * acts. It is logged once more when the account is deleted, since a plan that could still be paid for is to be ended then.
 * Nothing else changes. `read_at` stays the time at which the provider last said what is paid for, from which the days
 * count after which a plan ends without an answer.
 */
export async function noteUnknown(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  { accountId, customerId }: Customer,
  error: Error,
): Promise<void> {
  const noted = await db
    .updateTable('subscriptions')
    .set({ unknown_since: clock.now() })
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .where((eb) => eb.or([eb('unknown_since', 'is', null), eb('unknown_since', '<', eb.ref('cancel_requested_at'))]))
    .returning(['level', 'status', 'cancel_requested_at'])
    .executeTakeFirst();
  if (!noted) return;
  const facts = { account: accountId, customer: customerId };
  if (noted.cancel_requested_at !== null)
    log.error(
      facts,
      `ALARM: ${error.message} Its account is deleted, and nothing can be ended with them. It is asked again every night; ` +
        `if the customer is of a sandbox, \`holdfast account forget-payments --id=${accountId}\` ends that`,
    );
  else if (isPaid(noted))
    log.error(
      facts,
      `ALARM: ${error.message} Its account keeps its plan for 30 days after what was last known to be paid`,
    );
  else log.warn(facts, error.message);
}
