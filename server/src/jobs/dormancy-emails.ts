import { setImmediate as nextTurn } from 'node:timers/promises';
import { inactivityEmail } from '../email/templates.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { queueEmail, type Warns } from '../email/queue-email.ts';
import {
  type DormantAccount,
  dormantAfter,
  dormantFrom,
  firstWarningAhead,
  isToBeWarnedFirst,
  isToBeWarnedLast,
  lastWarningAhead,
  type Rule,
} from './dormancy-rules.ts';
import type { JobRun } from './job.ts';

interface Warning {
  readonly warning: Warns['warning'];
  readonly rule: Rule;
  /** Time between the warning and the deletion of the files. */
  readonly ahead: number;
}

const first: Warning = { warning: 'first', rule: isToBeWarnedFirst, ahead: firstWarningAhead };
const last: Warning = { warning: 'last', rule: isToBeWarnedLast, ahead: lastWarningAhead };

/**
 * Queues the warning emails that are due, each once while an account stays unused. Returns how many of each were
 * queued.
 */
export async function warnDormant(run: JobRun, now: number): Promise<{ firstWarnings: number; lastWarnings: number }> {
  return { firstWarnings: await warnAll(run, now, first), lastWarnings: await warnAll(run, now, last) };
}

async function warnAll(run: JobRun, now: number, warning: Warning): Promise<number> {
  let emails = 0;
  const isDue = warning.rule(now);
  for await (const { id } of dormantFrom(run.context, isDue)) {
    run.signal.throwIfAborted();
    if (run.dryRun || (await warn(run, { ...warning, isDue }, id))) emails += 1;
    await nextTurn();
  }
  return emails;
}

/** Locks the account's row, so that of two concurrent runs the second finds the email of the first. */
async function warn(
  { context }: JobRun,
  { warning, isDue, ahead }: Warning & { readonly isDue: ReturnType<Rule> },
  account: DormantAccount['id'],
): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const row = tx.selectFrom('accounts').where('id', '=', account);
    await lockRows(tx, row.select('id'));
    const due = await row.select(['email', 'last_active_at', 'first_warned_at']).where(isDue).executeTakeFirst();
    if (!due) return false;
    // An owner who is warned late gets as much time as every other owner.
    const deletedAt = Math.max(
      due.last_active_at + dormantAfter,
      due.first_warned_at + firstWarningAhead,
      context.clock.now() + ahead,
    );
    await queueEmail({ ...context, db: tx }, inactivityEmail(context, due.email, deletedAt), { account, warning });
    return true;
  });
}
