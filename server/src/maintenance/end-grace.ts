import { endGraceOf, findOverdue, findUnread } from '../billing/end-grace.ts';
import { batchSize } from './in-batches.ts';
import type { Job } from './job.ts';

/** A plan whose payment is still missing after the days of grace goes; its files stay (decisions section 5). */
export const endGrace: Job = {
  name: 'end-grace',
  pattern: '*/10 * * * *',
  async run({ context, dryRun, signal }) {
    // One batch: who cannot be judged now would be found again at once. The others come ten minutes later.
    const due = [...(await findOverdue(context, batchSize)), ...(await findUnread(context, batchSize))];
    if (dryRun) return { accounts: due.length };
    let [accounts, unread] = [0, 0];
    for (const plan of due) {
      signal.throwIfAborted();
      const end = await endGraceOf(context, plan);
      if (end === 'ended') accounts += 1;
      // Told at the first: a provider that is silent takes its time with each.
      if (end === 'unread' && (unread += 1) === 1) context.log.error(unreadAlarm);
    }
    return { accounts, unread };
  },
};

const unreadAlarm =
  'ALARM: the payment provider cannot be asked whether overdue plans were paid. They stay for 30 days after its last answer';
