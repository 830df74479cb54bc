import type { DeletionPreview } from '@holdfast/contract/src/activity.ts';
import { Cron } from 'croner';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import { daysAgo } from '../lib/calendar-days.ts';
import type { Schema } from '../storage/db/schema.ts';
import { deletionPreviewOf } from './evict.ts';

/** A cron pattern, in UTC. */
export const everyNight = '17 2 * * *';

export const isInactive = (eb: ExpressionBuilder<Schema, 'files'>, limit: number) =>
  eb.and([
    eb('is_favorite', '=', 0),
    eb('uploaded_at', '<=', limit),
    eb('last_accessed_at', '<=', limit),
    eb('returned_at', '<=', limit),
  ]);

/** What the next run would delete if auto-delete were set to `nights` days. */
export function inactivityPreview({ db, clock }: Context, accountId: string, nights: number): Promise<DeletionPreview> {
  const now = clock.now();
  const tonight = new Cron(everyNight, { timezone: 'UTC', paused: true }).nextRun(new Date(now));
  const limit = daysAgo(tonight?.getTime() ?? now, nights);
  return deletionPreviewOf(db, (tx) =>
    tx
      .selectFrom('files')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where((eb) => isInactive(eb, limit))
      .orderBy('uploaded_at')
      .orderBy('id'),
  );
}
