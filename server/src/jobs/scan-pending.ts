import { finishRemovals } from '../moderation/finish-removals.ts';
import { scanPendingBlobs as scanAll } from '../moderation/scan-pending.ts';
import type { Job } from './job.ts';

/**
 * Scans uploads that could not be scanned in time as soon as the scanner works, and serves or quarantines them. It also
 * finishes quarantines and takedowns that were killed halfway, with a scanner or without.
 */
export const scanPendingJob: Job = {
  name: 'scan-pending',
  pattern: '*/15 * * * * *',
  async run({ context, dryRun, signal }) {
    if (!dryRun) {
      const { quarantined, takenDown } = await finishRemovals(context);
      const scanned = await scanAll(context, signal);
      const done = { cleared: scanned.cleared, quarantined: scanned.quarantined + quarantined };
      return takenDown === 0 ? done : { ...done, taken_down: takenDown };
    }
    const { files } = await context.db
      .selectFrom('files')
      .select((eb) => eb.fn.countAll<number>().as('files'))
      .where((eb) => eb('pending_scan', '=', eb.lit(1)))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return { files };
  },
};
