import type { ActivityEntry } from '@holdfast/contract/src/activity.ts';
import type { ReplyOf, endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';

/** Lists the events that changed an account's files without action by the owner, newest first. */
export async function listActivity(
  { db }: Context,
  accountId: string,
  { page: pageNumber, limit }: { readonly page: number; readonly limit: number },
): Promise<ReplyOf<typeof endpoints.getActivity>> {
  const { total, rows } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const own = tx.selectFrom('activity').where('account_id', '=', accountId);
      const counted = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const page = own
        .select(['event', 'name', 'original_name', 'size', 'happened_at'])
        // An id begins with its creation time.
        .orderBy('id', 'desc');
      return {
        ...counted,
        rows: await page
          .limit(limit)
          .offset((pageNumber - 1) * limit)
          .execute(),
      };
    });
  const activity = rows.map(({ happened_at, ...row }): ActivityEntry => ({ ...row, happened: timeText(happened_at) }));
  return { activity, pagination: { page: pageNumber, limit, total } };
}
