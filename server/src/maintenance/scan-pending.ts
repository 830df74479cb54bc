import { finishRemovals } from '../files/finish-removals.ts';
import { scanPending as scanAll } from '../files/scan-pending.ts';
import type { Job } from './job.ts';

/**
 * Uploads that could not be scanned in time are scanned as soon as it works, and served or put in quarantine. Quarantines
 * and takedowns that were killed half-way are finished, with a scanner or without.
 */
export const scanPending: Job = {
  name: 'scan-pending',
  pattern: '*/15 * * * * *',
  async run({ context, memory, dryRun, signal }) {
    if (!dryRun) {
      const { quarantined, takenDown } = await finishRemovals(context, memory);
      const scanned = await scanAll(context, memory, signal);
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
