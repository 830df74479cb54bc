import { everyNight, isInactive } from '../files/inactive-files.ts';
import { daysAgo } from '../lib/calendar-days.ts';
import { countLiveFiles } from './deletion-limit.ts';
import type { Job, JobRun } from './job.ts';
import { batchSize, inPages } from '../storage/db/batches.ts';
import { accountsWhere, deleteUnused } from './delete-files.ts';

export const autoDelete: Job = {
  name: 'auto-delete',
  pattern: everyNight,
  deletesByAge: true,
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, deletionLimit } = run;
    const now = context.clock.now();
    let files = 0;
    for await (const { ids } of inactiveFiles(run, now)) files += ids.length;
    if (dryRun) return { files };
    deletionLimit.check(files, await countLiveFiles(context));
    files = 0;
    for await (const { accountId, nights, ids } of inactiveFiles(run, now))
      files += await deleteUnused(
        run,
        { accountId, reason: 'inactivity' },
        (eb) => eb.and([eb('inactivity_auto_delete_days', '=', nights), eb('closed_at', 'is', null)]),
        (eb) => eb.and([eb('id', 'in', ids), isInactive(eb, daysAgo(now, nights))]),
      );
    return { files };
  },
};

async function* inactiveFiles(run: JobRun, now: number) {
  const hasAutoDelete = accountsWhere(run, (eb) =>
    eb.and([eb('inactivity_auto_delete_days', '>', 0), eb('closed_at', 'is', null)]),
  );
  for await (const accounts of hasAutoDelete)
    for (const { id: accountId, nights } of accounts)
      for await (const page of oldFiles(run, accountId, daysAgo(now, nights))) {
        const ids = page.filter((file) => file.is_inactive).map(({ id }) => id);
        if (ids.length > 0) yield { accountId, nights, ids };
      }
}

/** A statement that skips those used since could read a whole account. */
const oldFiles = ({ context: { db }, signal }: JobRun, accountId: string, limit: number) =>
  inPages(signal, (last?: { readonly id: string; readonly uploaded_at: number; readonly is_inactive: unknown }) =>
    db
      .selectFrom('files')
      .select((eb) => ['id', 'uploaded_at', isInactive(eb, limit).as('is_inactive')])
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where('uploaded_at', '<=', limit)
      .where((eb) => eb(eb.refTuple('uploaded_at', 'id'), '>', eb.tuple(last?.uploaded_at ?? -1, last?.id ?? '')))
      .orderBy('uploaded_at')
      .orderBy('id')
      .limit(batchSize)
      .execute(),
  );
