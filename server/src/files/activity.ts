import type { ActivityEntry, ActivityEvent } from '@holdfast/contract/src/activity.ts';
import type { ReplyOf, endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';
import { readSnapshot } from '../storage/db/read-snapshot.ts';

export async function listActivity(
  { db }: Context,
  accountId: string,
  { page, limit, event }: { readonly page: number; readonly limit: number; readonly event?: ActivityEvent | undefined },
): Promise<ReplyOf<typeof endpoints.getActivity>> {
  const { total, rows } = await readSnapshot(db, async (tx) => {
    const all = tx.selectFrom('activity').where('account_id', '=', accountId);
    const own = event === undefined ? all : all.where('event', '=', event);
    const counted = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const newest = own
      .select(['event', 'name', 'original_name', 'size', 'files', 'cause', 'happened_at'])
      .orderBy('id', 'desc');
    const skipped = (page - 1) * limit;
    return { ...counted, rows: await newest.limit(limit).offset(skipped).execute() };
  });
  const activity = rows.map(({ happened_at, ...row }): ActivityEntry => ({ ...row, happened: timeText(happened_at) }));
  return { activity, pagination: { page, limit, total } };
}
