import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** Returns the total number of live files, with which a run that deletes some is compared. */
export async function countLiveFiles({ db }: Pick<Context, 'db'>): Promise<number> {
  const { files } = await db
    .selectFrom('accounts')
    .select(sql<number>`cast(coalesce(sum(slots_used), 0) AS bigint)`.as('files'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return files;
}
