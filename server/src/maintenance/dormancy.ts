import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { removeFiles } from '../files/remove-files.ts';
import { countLiveFiles } from './count-live-files.ts';
import { warnDormant } from './dormancy-letters.ts';
import { type DormantAccount, dormantFrom, isToLoseFiles } from './dormancy-rules.ts';
import type { Job, JobRun } from './job.ts';

const atOnce = 250;

/**
 * An account that nobody has used for 12 months (no sign-in, key use or upload) loses its files, favorites too, after two
 * letters (decisions section 4). The account itself stays. Who pays uses it.
 */
export const dormancy: Job = {
  name: 'dormancy',
  pattern: '29 2 * * *',
  async run(run) {
    const { context, dryRun, brake } = run;
    const letters = await warnDormant(run);
    const condemned = await countCondemned(run);
    if (dryRun) return { ...letters, ...condemned };
    brake.check(condemned.files, await countLiveFiles(context));
    return { ...letters, ...(await deleteAll(run)) };
  },
};

async function countCondemned({ context: { db, clock } }: JobRun): Promise<{ accounts: number; files: number }> {
  const now = clock.now();
  return db
    .selectFrom('accounts')
    .select((eb) => [
      eb.fn.countAll<number>().as('accounts'),
      sql<number>`cast(coalesce(sum(slots_used), 0) AS bigint)`.as('files'),
    ])
    .where(isToLoseFiles(now))
    .executeTakeFirstOrThrow();
}

async function deleteAll(run: JobRun): Promise<{ accounts: number; files: number }> {
  const { context, signal } = run;
  let accounts = 0;
  let files = 0;
  for await (const { id } of dormantFrom(context, isToLoseFiles)) {
    let ofThis = 0;
    for (let deleted = -1; deleted !== 0; ofThis += deleted) {
      signal.throwIfAborted();
      deleted = await deleteSome(run, id);
      await nextTurn();
    }
    if (ofThis > 0) accounts += 1;
    files += ofThis;
  }
  return { accounts, files };
}

/** One batch of one account, if it is still dormant: whoever comes back in between keeps the rest. */
async function deleteSome({ context, memory }: JobRun, accountId: DormantAccount['id']): Promise<number> {
  const removed = await context.db.transaction().execute(async (tx) => {
    const now = context.clock.now();
    // Changes nothing, and holds the row that every transaction of the account takes first.
    const held = await tx
      .updateTable('accounts')
      .set((eb) => ({ last_warned_at: eb.ref('last_warned_at') }))
      .where('id', '=', accountId)
      .where(isToLoseFiles(now))
      .executeTakeFirst();
    if (Number(held.numUpdatedRows) !== 1) return [];
    const some = tx
      .selectFrom('files')
      .select('id')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null);
    return removeFiles(tx, { accountId, reason: 'dormancy', now }, (eb) => eb('id', 'in', some.limit(atOnce)));
  });
  memory.forget(removed.map(({ blob_id }) => blob_id));
  return removed.length;
}
