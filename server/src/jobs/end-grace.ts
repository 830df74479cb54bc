import { endGraceOf, findOverdue, findUnread } from '../billing/grace.ts';
import type { Job } from './job.ts';
import { batchSize } from '../storage/db/batches.ts';

export const endGrace: Job = {
  name: 'end-grace',
  pattern: '*/10 * * * *',
  deletesByAge: true,
  async run({ context, dryRun, signal }) {
    // One batch only: an account that cannot be decided now would be found again at once.
    const due = [...(await findOverdue(context, batchSize)), ...(await findUnread(context, batchSize))];
    if (dryRun) return { accounts: due.length };
    let [accounts, unread] = [0, 0];
    for (const plan of due) {
      signal.throwIfAborted();
      const end = await endGraceOf(context, plan);
      if (end === 'ended') accounts += 1;
      // Logged at the first one, because an unresponsive provider takes its time with each.
      if (end === 'unread' && (unread += 1) === 1) context.log.error(unreadAlarm);
    }
    return { accounts, unread };
  },
};

const unreadAlarm =
  'ALARM: the payment provider does not respond, so overdue plans cannot be checked. They are kept for 30 days after its last response';
