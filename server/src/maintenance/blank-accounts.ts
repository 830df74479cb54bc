import { sql, type SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../engines/database/database.ts';
import { skipLocked } from '../engines/database/skip-locked.ts';
import { batchSize, inBatches } from './in-batches.ts';
import type { JobRun } from './job.ts';

/** Who had a closed account goes a while after it was closed. The row stays, for the names of its files. */
export async function blankAccounts({ context: { db }, signal }: JobRun, until: number): Promise<number> {
  // First, because the accounts that still tell who they were are how their activity is found.
  await inBatches(signal, () => deleteActivity(db, until));
  return inBatches(signal, async () => {
    const { numUpdatedRows } = await db
      .updateTable('accounts')
      .set(nobody)
      .where('id', 'in', skipLocked(db, toBlank(db, until).limit(batchSize)))
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  });
}

/** What a row says that tells nobody's name, address or place. */
export const nobody = {
  email: '',
  email_key: '',
  name: '',
  timezone: 'UTC',
  timezone_auto: 1,
  preferred_domain: null,
} as const;

export async function countAccountsToBlank({ db }: Context, until: number): Promise<number> {
  const counted = db
    .selectFrom(toBlank(db, until).as('account'))
    .select((eb) => eb.fn.countAll<number>().as('accounts'));
  return (await counted.executeTakeFirstOrThrow()).accounts;
}

/** As the index has it, so that it is used. */
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
