import { forgetOldEvents, type Place, reconcileSome } from '../billing/reconcile.ts';
import { batchSize, inBatches } from './in-batches.ts';
import type { Job, JobRun } from './job.ts';

/** When so many in a row could not be read, the provider is down: the next night tries again, from the oldest on. */
const givesUpAfter = 20;

/** Every night each customer's state is read anew, so that an event that never came costs a day at most. */
export const reconcileSubscriptions: Job = {
  name: 'reconcile-subscriptions',
  pattern: '23 3 * * *',
  async run(run) {
    const { context, dryRun, signal } = run;
    const { offers } = context.payments;
    if (offers.length === 0) return { customers: 0 };
    if (dryRun) return { customers: await countCustomers(run) };
    const result = await rereadAll(run);
    await inBatches(signal, () => forgetOldEvents(context, batchSize));
    return result;
  },
};

async function rereadAll({ context, signal }: JobRun) {
  const until = context.clock.now();
  const sums = { customers: 0, changed: 0, failed: 0 };
  let place: Place | null = null;
  do {
    signal.throwIfAborted();
    const some: Awaited<ReturnType<typeof reconcileSome>> = await reconcileSome(context, until, place, givesUpAfter);
    sums.customers += some.customers;
    sums.changed += some.changed;
    sums.failed += some.failed;
    if (some.failed === givesUpAfter)
      throw new Error(`The payment provider does not answer; ${sums.customers - sums.failed} customers were read`);
    place = some.next;
  } while (place);
  return sums;
}

async function countCustomers({ context }: JobRun): Promise<number> {
  const { customers } = await context.db
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.countAll<number>().as('customers'))
    .where('customer_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return customers;
}
