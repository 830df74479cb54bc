import { sql, type SqlBool } from 'kysely';
import type { Database } from '../storage/db/database.ts';
import { emptyAccount } from '../files/empty-account.ts';
import type { Job } from './job.ts';

const accountsPerPage = 100;

/**
 * Deletes the files of deleted accounts. The process that closes an account runs this at once; if it ends before it is
 * done, the next run continues. No deletion limit applies: these files are no longer reachable. An account that fails,
 * because its usage drifted for example, does not keep the others; the run fails with its error at the end.
 */
export const emptyAccounts: Job = {
  name: 'empty-accounts',
  pattern: '* * * * *',
  async run({ context, dryRun, signal }) {
    const { db } = context;
    if (dryRun) return countFiles(db);
    const done = { accounts: 0, files: 0 };
    const errors: unknown[] = [];
    for (let after = '', page; (page = await accountsToEmpty(db, after)).length > 0; after = page.at(-1) ?? after)
      for (const id of page) {
        try {
          done.files += await emptyAccount(context, id, signal);
          done.accounts += 1;
        } catch (error) {
          signal.throwIfAborted();
          context.log.error({ err: error, account: id }, 'the files of a deleted account could not be deleted');
          errors.push(error);
        }
      }
    if (errors.length > 0) throw errors[0];
    return done;
  },
};

/** Matches the condition of the index so that the index is used. */
const isToEmpty = sql<SqlBool>`closed_at IS NOT NULL AND slots_used > 0`;

async function accountsToEmpty(db: Database, after: string): Promise<string[]> {
  const rows = db.selectFrom('accounts').select('id').where(isToEmpty).where('id', '>', after);
  return (await rows.orderBy('id').limit(accountsPerPage).execute()).map(({ id }) => id);
}

async function countFiles(db: Database): Promise<{ accounts: number; files: number }> {
  return db
    .selectFrom('accounts')
    .select((eb) => [
      eb.fn.countAll<number>().as('accounts'),
      sql<number>`cast(coalesce(sum(slots_used), 0) as bigint)`.as('files'),
    ])
    .where(isToEmpty)
    .executeTakeFirstOrThrow();
}
