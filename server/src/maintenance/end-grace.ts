import { endGraceOf, findOverdue } from '../billing/end-grace.ts';
import { batchSize } from './in-batches.ts';
import type { Job } from './job.ts';

/** A plan whose payment is still missing after the days of grace goes; its files stay (decisions section 5). */
export const endGrace: Job = {
  name: 'end-grace',
  pattern: '*/10 * * * *',
  async run({ context, dryRun, signal }) {
    // One batch: who cannot be judged now would be found again at once. The others come ten minutes later.
    const overdue = await findOverdue(context, batchSize);
    if (dryRun) return { accounts: overdue.length };
    let accounts = 0;
    for (const account of overdue) {
      signal.throwIfAborted();
      if (await endGraceOf(context, account)) accounts += 1;
    }
    return { accounts };
  },
};
