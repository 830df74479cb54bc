import { unfinishedFor } from '@holdfast/contract/src/resumable.ts';
import { countRows, batchSize, inPages } from '../storage/db/batches.ts';
import { removeUpload } from '../uploads/resumable/remove.ts';
import type { Job } from './job.ts';

/** Uploads that resume and have not for a day. A complete one has its file, and is only forgotten. */
export const endUploads: Job = {
  name: 'end-uploads',
  pattern: '*/10 * * * *',
  deletesByAge: true,
  async run({ context, dryRun, signal, passOver }) {
    const { db, clock } = context;
    const expired = db.selectFrom('uploads').where('changed_at', '<', clock.now() - unfinishedFor);
    if (dryRun) return { uploads: await countRows(expired) };
    let uploads = 0;
    const pages = inPages(signal, (last?: { readonly id: string }) =>
      expired
        .select(['id', 'account_id'])
        .where('id', '>', last?.id ?? '')
        .orderBy('id')
        .limit(batchSize)
        .execute(),
    );
    for await (const page of pages)
      for (const row of page) {
        try {
          if (await removeUpload(context, row)) uploads += 1;
        } catch (error) {
          signal.throwIfAborted();
          passOver(`upload ${row.id}`, error);
        }
      }
    return { uploads };
  },
};
