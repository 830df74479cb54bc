import { finishRemovals } from '../moderation/finish-removals.ts';
import { scanPendingBlobs } from '../moderation/scan-pending-blobs.ts';
import type { Job } from './job.ts';
import { countRows } from '../storage/db/batches.ts';

export const scanPending: Job = {
  name: 'scan-pending',
  pattern: '*/15 * * * * *',
  async run({ context, dryRun, signal }) {
    if (dryRun)
      return {
        files: await countRows(
          context.db
            .selectFrom('files')
            .where((eb) => eb('pending_scan', '=', eb.lit(1)))
            .where('deleted_at', 'is', null),
        ),
      };
    const { quarantined, takenDown } = await finishRemovals(context);
    const scanned = await scanPendingBlobs(context, signal);
    const done = { cleared: scanned.cleared, quarantined: scanned.quarantined + quarantined };
    return takenDown === 0 ? done : { ...done, taken_down: takenDown };
  },
};
