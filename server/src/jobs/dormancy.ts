import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { removeFiles } from '../files/remove-files.ts';
import { countLiveFiles } from './count-live-files.ts';
import { warnDormant } from './dormancy-emails.ts';
import { type DormantAccount, dormantFrom, isToLoseFiles } from './dormancy-rules.ts';
import type { Job, JobRun } from './job.ts';

const atOnce = 250;

/**
 * An account that was not used for 12 months (no sign-in, key use or upload) loses its files, favorites too, after a
 * mail server has accepted two warning emails. The account itself is kept. A paid account counts as used.
 */
export const dormancy: Job = {
  name: 'dormancy',
  pattern: '29 2 * * *',
  deletesByAge: true,
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, deletionLimit } = run;
    if (keepsDormant(context)) return nothing;
    const now = context.clock.now();
    const emails = await warnDormant(run, now);
    const condemned = await countCondemned(run, now);
    if (dryRun) return { ...emails, ...condemned };
    deletionLimit.check(condemned.files, await countLiveFiles(context));
    return { ...emails, ...(await deleteAll(run, now)) };
  },
};

const nothing = { firstWarnings: 0, lastWarnings: 0, accounts: 0, files: 0 };

/**
 * If emails do not reach people, no owner reads the warnings, so nothing is deleted unless the operator asks for it.
 */
const keepsDormant = ({ config, mail }: Context): boolean =>
  (config.dormantAccounts ?? (mail.reachesPeople ? 'delete' : 'keep')) === 'keep';

async function countCondemned({ context: { db } }: JobRun, now: number): Promise<{ accounts: number; files: number }> {
  return db
    .selectFrom('accounts')
    .select((eb) => [
      eb.fn.countAll<number>().as('accounts'),
      sql<number>`cast(coalesce(sum(slots_used), 0) AS bigint)`.as('files'),
    ])
    .where(isToLoseFiles(now))
    .executeTakeFirstOrThrow();
}

async function deleteAll(run: JobRun, now: number): Promise<{ accounts: number; files: number }> {
  const { context, signal } = run;
  let accounts = 0;
  let files = 0;
  for await (const { id } of dormantFrom(context, isToLoseFiles(now))) {
    let ofThis = 0;
    for (let deleted = -1; deleted !== 0; ofThis += deleted) {
      signal.throwIfAborted();
      deleted = await deleteSome(run, now, id);
      await nextTurn();
    }
    if (ofThis > 0) accounts += 1;
    files += ofThis;
  }
  return { accounts, files };
}

/** Deletes one batch of one account if it is still dormant: an owner who returns in between keeps the rest. */
async function deleteSome({ context }: JobRun, now: number, accountId: DormantAccount['id']): Promise<number> {
  return context.db.transaction().execute(async (tx) => {
    // A no-op update that locks the row which every transaction of the account locks first.
    const held = await tx
      .updateTable('accounts')
      .set((eb) => ({ last_warned_at: eb.ref('last_warned_at') }))
      .where('id', '=', accountId)
      .where(isToLoseFiles(now))
      .executeTakeFirst();
    if (Number(held.numUpdatedRows) !== 1) return 0;
    const some = tx
      .selectFrom('files')
      .select('id')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null);
    const removed = await removeFiles(tx, { accountId, reason: 'dormancy', now: context.clock.now() }, (eb) =>
      eb('id', 'in', some.limit(atOnce)),
    );
    return removed.length;
  });
}
