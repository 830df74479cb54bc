/** The files that auto-delete deletes: one condition for the nightly job and for the preview that owners see first. */
import type { DeletionPreview } from '@holdfast/contract/src/activity.ts';
import { Cron } from 'croner';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Schema } from '../storage/db/schema.ts';
import { deletionPreviewOf } from '../files/eviction-preview.ts';
import { days } from '../lib/clock.ts';

/** Schedule of auto-delete: a cron pattern, in UTC. */
export const everyNight = '17 2 * * *';

/** Number of files read by one statement. */
const atOnce = 250;

/**
 * Returns what auto-delete would delete from the account in its next run if it were set to `nights` days.
 */
export async function inactivityPreview(context: Context, accountId: string, nights: number): Promise<DeletionPreview> {
  const now = context.clock.now();
  const tonight = new Cron(everyNight, { timezone: 'UTC', paused: true }).nextRun(new Date(now));
  const limit = (tonight?.getTime() ?? now) - days(nights);
  return deletionPreviewOf(context.db, (tx) =>
    tx
      .selectFrom('files')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where((eb) => isInactive(eb, limit))
      .orderBy('uploaded_at')
      .orderBy('id'),
  );
}

/** Yields the ids of an account's files that were not used since `limit`, oldest uploads first, in bounded steps. */
export async function* inactiveFiles({ db }: Pick<Context, 'db'>, accountId: string, limit: number) {
  for (let last = { uploaded_at: -1, id: '' }; ;) {
    const after = last;
    const files = await db
      .selectFrom('files')
      .select((eb) => ['id', 'uploaded_at', isInactive(eb, limit).as('is_inactive')])
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where('uploaded_at', '<=', limit)
      .where('uploaded_at', '>=', after.uploaded_at)
      .where((eb) => eb.or([eb('uploaded_at', '>', after.uploaded_at), eb('id', '>', after.id)]))
      .orderBy('uploaded_at')
      .orderBy('id')
      .limit(atOnce)
      .execute();
    yield files.filter((file) => file.is_inactive).map(({ id }) => id);
    if (files.length < atOnce) return;
    last = files.at(-1) ?? last;
  }
}

/** The columns are 0 for files never accessed or never given back. */
export const isInactive = (eb: ExpressionBuilder<Schema, 'files'>, limit: number) =>
  eb.and([
    eb('is_favorite', '=', 0),
    eb('uploaded_at', '<=', limit),
    eb('last_accessed_at', '<=', limit),
    eb('returned_at', '<=', limit),
  ]);
