import { recordAction } from '../record-action.ts';
import type { Inspection } from './inspection.ts';

/** Reports the remains of unfinished writes; the server deletes them itself before long. */
export async function checkUnfinished({ context, actor, suspect }: Inspection): Promise<void> {
  const { blobs } = context;
  const left = await blobs.sweepUnfinished({ dryRun: true });
  if (left === 0) return;
  await suspect({
    kind: 'unfinished-write',
    subject: 'temp area',
    says: `${left} writes that never ended have left bytes in the temp area.`,
    again: async () => (await blobs.sweepUnfinished({ dryRun: true })) > 0,
    mend: async () => {
      await recordAction(context, actor, { subject: 'temp area', details: { unfinished: left } });
      return (await blobs.sweepUnfinished({ dryRun: false })) > 0;
    },
  });
}
