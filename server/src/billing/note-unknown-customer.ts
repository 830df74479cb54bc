import type { Context } from '../context.ts';
import { shellWord } from '../lib/shell-argument.ts';
import type { Customer } from './apply-snapshot.ts';
import { isPaid } from './find-subscription.ts';

/**
 * Records since when the provider does not know a customer, and logs this once: it would repeat every night until the
 * operator acts. It is logged once more when the account is deleted, since a subscription that may still be paid for
 * must then be canceled. Nothing else changes. In particular `read_at`, the time of the last snapshot, is left alone:
 * the days until an unconfirmed plan ends count from it.
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
      `ALARM: ${error.message} The account is deleted, but its subscription cannot be canceled with the current keys. The nightly job retries. ` +
        `If the customer belongs to a sandbox, stop the retries with \`holdfast account forget-payments --id=${shellWord(accountId)}\``,
    );
  else if (isPaid(noted))
    log.error(facts, `ALARM: ${error.message} The account keeps its plan for a waiting period of 30 days`);
  else log.warn(facts, error.message);
}
