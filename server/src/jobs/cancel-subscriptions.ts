import { cancelSubscription, findDueCancellations } from '../billing/cancellation.ts';
import type { Job } from './job.ts';
import { batchSize } from '../storage/db/batches.ts';

export const cancelSubscriptions: Job = {
  name: 'cancel-subscriptions',
  pattern: '*/5 * * * *',
  async run({ context, dryRun, signal }) {
    const due = await findDueCancellations(context, batchSize);
    if (dryRun) return { subscriptions: due.length };
    let subscriptions = 0;
    for (const accountId of due) {
      signal.throwIfAborted();
      if (await cancelSubscription(context, accountId)) subscriptions += 1;
    }
    return { subscriptions };
  },
};
