import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { removeFiles, type Removal } from '../files/remove-files.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { Schema } from '../storage/db/schema.ts';
import type { JobRun } from './job.ts';
import { batchSize, inPages } from '../storage/db/batches.ts';

export type Rule<Table extends keyof Schema> = (eb: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>;

export const accountsWhere = ({ context: { db }, signal }: JobRun, rule: Rule<'accounts'>) =>
  inPages(signal, (last?: { readonly id: string; readonly nights: number }) =>
    db
      .selectFrom('accounts')
      .select(['id', 'inactivity_auto_delete_days as nights'])
      .where(rule)
      .where('id', '>', last?.id ?? '')
      .orderBy('id')
      .limit(batchSize)
      .execute(),
  );

/** Deletes the files that match, if the account still does: an owner who returned in between keeps them. */
export async function deleteUnused(
  { context, passOver }: JobRun,
  { accountId, reason }: Omit<Removal, 'now'>,
  account: Rule<'accounts'>,
  files: Rule<'files'>,
): Promise<number> {
  const deleting = context.db.transaction().execute(async (tx) => {
    const row = tx.selectFrom('accounts').select('id').where('id', '=', accountId);
    await lockRows(tx, row);
    if (!(await row.where(account).executeTakeFirst())) return 0;
    const removed = await removeFiles(tx, { accountId, reason, now: context.clock.now() }, files);
    return removed.length;
  });
  return deleting.catch((error: unknown) => {
    passOver(`account ${accountId}`, error);
    return 0;
  });
}
