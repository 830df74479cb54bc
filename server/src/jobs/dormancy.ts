import { sql } from 'kysely';
import {
  deletionDue,
  isToBeWarnedFirst,
  isToBeWarnedLast,
  isToLoseFiles,
  keepsDormant,
} from '../accounts/dormancy-rules.ts';
import { zoneOf } from '../accounts/timezone.ts';
import type { Context } from '../context.ts';
import { queueEmail, type Warns } from '../email/queue-email.ts';
import { inactivityEmail } from '../email/templates.ts';
import { lastDayBefore } from '../lib/calendar-days.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { countLiveFiles } from './deletion-limit.ts';
import type { Job, JobRun } from './job.ts';
import { batchSize, inBatches } from '../storage/db/batches.ts';
import { accountsWhere, deleteUnused, type Rule } from './delete-files.ts';

export const dormancy: Job = {
  name: 'dormancy',
  pattern: '29 2 * * *',
  deletesByAge: true,
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, deletionLimit } = run;
    if (keepsDormant(context)) return { firstWarnings: 0, lastWarnings: 0, accounts: 0, files: 0 };
    const now = context.clock.now();
    const emails = {
      firstWarnings: await warnAll(run, 'first', isToBeWarnedFirst(now)),
      lastWarnings: await warnAll(run, 'last', isToBeWarnedLast(now)),
    };
    const condemned = await countCondemned(context, isToLoseFiles(now));
    if (dryRun) return { ...emails, ...condemned };
    deletionLimit.check(condemned.files, await countLiveFiles(context));
    return { ...emails, ...(await deleteAll(run, isToLoseFiles(now))) };
  },
};

async function warnAll(run: JobRun, warning: Warns['warning'], isDue: Rule<'accounts'>): Promise<number> {
  let emails = 0;
  for await (const accounts of accountsWhere(run, isDue))
    for (const { id } of accounts) {
      run.signal.throwIfAborted();
      if (run.dryRun || (await tryWarn(run, { account: id, warning }, isDue))) emails += 1;
    }
  return emails;
}

const tryWarn = ({ context, passOver }: JobRun, warns: Warns, isDue: Rule<'accounts'>): Promise<boolean> =>
  warn(context, warns, isDue).catch((error: unknown) => {
    passOver(`account ${warns.account}`, error);
    return false;
  });

function warn(context: Context, warns: Warns, isDue: Rule<'accounts'>): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const row = tx.selectFrom('accounts').where('id', '=', warns.account);
    await lockRows(tx, row.select('id'));
    const account = await row.selectAll().where(isDue).executeTakeFirst();
    if (!account) return false;
    const due = deletionDue(account, warns.warning, context.clock.now());
    // Earlier warnings named another day.
    const begun = warns.warning === 'first' && { first_warned_at: 0, last_warned_at: 0 };
    const promise = tx.updateTable('accounts').set({ deletion_due_at: due, ...begun });
    await promise.where('id', '=', account.id).execute();
    const lastDay = lastDayBefore(due, zoneOf(account));
    await queueEmail({ ...context, db: tx }, inactivityEmail(context, account.email, lastDay), warns);
    return true;
  });
}

const countCondemned = ({ db }: Context, isCondemned: Rule<'accounts'>): Promise<{ accounts: number; files: number }> =>
  db
    .selectFrom('accounts')
    .select((eb) => [
      eb.fn.countAll<number>().as('accounts'),
      sql<number>`cast(coalesce(sum(slots_used), 0) AS bigint)`.as('files'),
    ])
    .where(isCondemned)
    .executeTakeFirstOrThrow();

async function deleteAll(run: JobRun, isCondemned: Rule<'accounts'>): Promise<{ accounts: number; files: number }> {
  const done = { accounts: 0, files: 0 };
  for await (const page of accountsWhere(run, isCondemned))
    for (const { id: accountId } of page) {
      const live = run.context.db.selectFrom('files').select('id').where('account_id', '=', accountId);
      const some = live.where('deleted_at', 'is', null).limit(batchSize);
      const files = await inBatches(run.signal, () =>
        deleteUnused(run, { accountId, reason: 'dormancy' }, isCondemned, (eb) => eb('id', 'in', some)),
      );
      done.accounts += files > 0 ? 1 : 0;
      done.files += files;
    }
  return done;
}
