import { sql, type SqlBool } from 'kysely';
import { erasedOwner } from '../accounts/forget-sign-up.ts';
import type { Context } from '../context.ts';
import type { Database } from '../storage/db/database.ts';
import { skipLocked } from '../storage/db/skip-locked.ts';
import { batchSize, inBatches } from './in-batches.ts';
import type { JobRun } from './job.ts';

/**
 * Erases the identity of the owner some time after an account was closed. The row is kept for the names of its files.
 */
export async function blankAccounts({ context: { db }, signal }: JobRun, until: number): Promise<number> {
  // Runs first, because activity is found through accounts that still have their owner's data.
  await inBatches(signal, () => deleteActivity(db, until));
  return inBatches(signal, async () => {
    const { numUpdatedRows } = await db
      .updateTable('accounts')
      .set(erasedOwner)
      .where('id', 'in', skipLocked(db, toBlank(db, until).limit(batchSize)))
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  });
}

export async function countAccountsToBlank({ db }: Context, until: number): Promise<number> {
  const counted = db
    .selectFrom(toBlank(db, until).as('account'))
    .select((eb) => eb.fn.countAll<number>().as('accounts'));
  return (await counted.executeTakeFirstOrThrow()).accounts;
}

/** Matches the condition of the index so that the index is used. */
const toBlank = (db: Database, until: number) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('closed_at', '<=', until)
    .where(sql<SqlBool>`email <> ''`);

async function deleteActivity(db: Database, until: number): Promise<number> {
  const some = db.selectFrom('activity').select('id').where('account_id', 'in', toBlank(db, until)).limit(batchSize);
  const { numDeletedRows } = await db
    .deleteFrom('activity')
    .where('id', 'in', skipLocked(db, some))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
