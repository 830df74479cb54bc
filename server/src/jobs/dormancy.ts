import { type ExpressionBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { queueEmail, type Warns } from '../email/queue-email.ts';
import { inactivityEmail } from '../email/templates.ts';
import { days } from '../lib/clock.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { Schema } from '../storage/db/schema.ts';
import { countLiveFiles } from './deletion-limit.ts';
import { batchSize, inBatches, type Job, type JobRun } from './job.ts';
import { accountsWhere, deleteUnused, type Rule } from './unused-files.ts';

const dormantAfter = days(366);
const ahead = { first: days(30), last: days(7) };
const triedAgainAfter = days(7);

/** An account unused for 12 months loses its files, favorites too, after two warnings. */
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

/** If emails do not reach people, no owner reads the warnings. */
const keepsDormant = ({ config, mail }: Context): boolean =>
  (config.dormantAccounts ?? (mail.reachesPeople ? 'delete' : 'keep')) === 'keep';

const isToBeWarnedFirst = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + ahead.first),
    eb.not(isWarned(eb, 'first_warned_at')),
    canBeWarned(eb, now),
  ]);

const isToBeWarnedLast = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + ahead.last),
    isWarned(eb, 'first_warned_at', now - ahead.first + ahead.last),
    eb.not(isWarned(eb, 'last_warned_at')),
    canBeWarned(eb, now),
  ]);

const isToLoseFiles = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter),
    isWarned(eb, 'first_warned_at', now - ahead.first),
    isWarned(eb, 'last_warned_at', now - ahead.last),
  ]);

type Accounts = ExpressionBuilder<Schema, 'accounts'>;

const unusedSince = (eb: Accounts, time: number) =>
  eb.and([
    eb('last_active_at', '<=', time),
    eb('slots_used', '>', 0),
    eb('closed_at', 'is', null),
    eb.not(
      eb.exists(
        eb
          .selectFrom('subscriptions')
          .select('subscriptions.account_id')
          .whereRef('subscriptions.account_id', '=', 'accounts.id')
          .where('subscriptions.status', 'in', ['active', 'past_due']),
      ),
    ),
  ]);

const isWarned = (eb: Accounts, column: 'first_warned_at' | 'last_warned_at', until = Number.MAX_SAFE_INTEGER) =>
  eb.and([eb(column, '>', eb.ref('last_active_at')), eb(column, '<=', until)]);

/** No warning is sent while one waits for a mail server, nor soon after one was given up. */
const canBeWarned = (eb: Accounts, now: number) =>
  eb.and([
    eb.not(
      eb.exists(
        eb
          .selectFrom('outgoing_emails')
          .select('outgoing_emails.id')
          .whereRef('outgoing_emails.warns_account', '=', 'accounts.id'),
      ),
    ),
    eb('warning_failed_at', '<=', now - triedAgainAfter),
  ]);

async function warnAll(run: JobRun, warning: Warns['warning'], isDue: Rule<'accounts'>): Promise<number> {
  let emails = 0;
  for await (const accounts of accountsWhere(run, isDue))
    for (const { id } of accounts) {
      run.signal.throwIfAborted();
      if (run.dryRun || (await warn(run.context, { account: id, warning }, isDue))) emails += 1;
    }
  return emails;
}

function warn(context: Context, warns: Warns, isDue: Rule<'accounts'>): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const row = tx.selectFrom('accounts').where('id', '=', warns.account);
    await lockRows(tx, row.select('id'));
    const due = await row.select(['email', 'last_active_at', 'first_warned_at']).where(isDue).executeTakeFirst();
    if (!due) return false;
    // An owner who is warned late gets as much time as every other owner.
    const deletedAt = Math.max(
      due.last_active_at + dormantAfter,
      due.first_warned_at + ahead.first,
      context.clock.now() + ahead[warns.warning],
    );
    await queueEmail({ ...context, db: tx }, inactivityEmail(context, due.email, deletedAt), warns);
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
