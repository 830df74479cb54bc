import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** How many files there are at all: what a run that deletes some is held against. */
export async function countLiveFiles({ db }: Pick<Context, 'db'>): Promise<number> {
  const { files } = await db
    .selectFrom('accounts')
    .select(sql<number>`cast(coalesce(sum(slots_used), 0) AS bigint)`.as('files'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return files;
}
