import { checkPrices, checkProvider } from '../billing/provider.ts';
import { findStrangers, forgetOldEvents, rereadCustomers } from '../billing/reconcile.ts';
import type { Job, JobRun } from './job.ts';
import { batchSize, countRows, inBatches } from '../storage/db/batches.ts';

const givesUpAfter = 20;

export const reconcileSubscriptions: Job = {
  name: 'reconcile-subscriptions',
  pattern: '23 3 * * *',
  async run(run) {
    const { context, dryRun, signal } = run;
    if (context.config.payments.engine === 'none') return { customers: 0 };
    if (dryRun)
      return {
        customers: await countRows(context.db.selectFrom('subscriptions').where('customer_id', 'is not', null)),
      };
    await inBatches(signal, () => forgetOldEvents(context, batchSize));
    await checkProvider(context);
    await checkPrices(context);
    const result = await rereadAll(run);
    if (result.changed > 0) context.log.warn({ customers: result.changed }, untold);
    return { ...result, strangers: await findStrangers(context, signal) };
  },
};

const untold =
  'some subscriptions changed without an event. If this happens every night, events do not ' +
  'arrive: look at the webhook in Stripe, and whether STRIPE_WEBHOOK_SECRET is that of this endpoint';

async function rereadAll({ context, signal }: JobRun) {
  const sums = { customers: 0, changed: 0, unknown: 0, failed: 0 };
  let failedInARow = 0;
  for await (const ends of rereadCustomers(context, context.clock.now())) {
    for (const end of ends) {
      sums.customers += 1;
      if (end !== 'same') sums[end] += 1;
      failedInARow = end === 'failed' ? failedInARow + 1 : 0;
    }
    if (failedInARow >= givesUpAfter)
      throw new Error(`The payment provider does not respond; ${sums.customers - sums.failed} customers were read`);
    signal.throwIfAborted();
  }
  if (sums.failed > 0 && sums.failed + sums.unknown === sums.customers)
    throw new Error('No customer of the payment provider could be read');
  return sums;
}
