import { scanPending as scanAll } from '../files/scan-pending.ts';
import type { Job } from './job.ts';

/** Uploads that could not be scanned in time are scanned as soon as it works, and served or put in quarantine. */
export const scanPending: Job = {
  name: 'scan-pending',
  pattern: '*/15 * * * * *',
  async run({ context, memory, dryRun, signal }) {
    if (!dryRun) return { ...(await scanAll(context, memory, signal)) };
    const { files } = await context.db
      .selectFrom('files')
      .select((eb) => eb.fn.countAll<number>().as('files'))
      .where((eb) => eb('pending_scan', '=', eb.lit(1)))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return { files };
  },
};
