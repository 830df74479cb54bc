import { sql, type SqlBool } from 'kysely';
import { emptyAccount } from '../files/delete.ts';
import type { Job } from './job.ts';
import { batchSize, inPages } from '../storage/db/batches.ts';
import { removeUploadsOf } from '../uploads/resumable/remove.ts';

export const emptyAccounts: Job = {
  name: 'empty-accounts',
  pattern: '* * * * *',
  async run({ context, dryRun, signal, passOver }) {
    const closed = context.db.selectFrom('accounts').where(isToEmpty);
    if (dryRun)
      return closed
        .select((eb) => [
          eb.fn.countAll<number>().as('accounts'),
          sql<number>`cast(coalesce(sum(slots_used), 0) as bigint)`.as('files'),
        ])
        .executeTakeFirstOrThrow();
    const done = { accounts: 0, files: 0 };
    const pages = inPages(signal, (last?: { readonly id: string }) => {
      const rest = closed.select('id').where('id', '>', last?.id ?? '');
      return rest.orderBy('id').limit(batchSize).execute();
    });
    for await (const page of pages)
      for (const { id } of page) {
        try {
          await removeUploadsOf(context, id);
          done.files += await emptyAccount(context, id, signal);
          done.accounts += 1;
        } catch (error) {
          signal.throwIfAborted();
          passOver(`account ${id}`, error);
        }
      }
    return done;
  },
};

/** Written out so that the partial index is used. */
const isToEmpty = sql<SqlBool>`closed_at IS NOT NULL AND slots_used > 0`;
