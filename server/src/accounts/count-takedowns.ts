import type { Context } from '../context.ts';

/** The cases that took files of an account and were not answered by a restoration, oldest first. */
export async function casesAgainst({ db }: Pick<Context, 'db'>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('takedowns')
    .select('reference')
    .where('account_id', '=', accountId)
    .where('restored_at', 'is', null)
    .groupBy('reference')
    .orderBy((eb) => eb.fn.min('taken_down_at'))
    .orderBy('reference')
    .execute();
  return rows.map((row) => row.reference);
}
