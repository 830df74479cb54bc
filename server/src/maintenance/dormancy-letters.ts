import { setImmediate as nextTurn } from 'node:timers/promises';
import { inactivityLetter } from '../accounts/letters.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import { queueLetter, type Warns } from '../post/queue-letter.ts';
import {
  type DormantAccount,
  dormantAfter,
  dormantFrom,
  firstLetterAhead,
  isToBeWarnedFirst,
  isToBeWarnedLast,
  lastLetterAhead,
  type Rule,
} from './dormancy-rules.ts';
import type { JobRun } from './job.ts';
import type { RunningTime } from './running-time.ts';

interface Warning {
  readonly warning: Warns['warning'];
  readonly rule: Rule;
  /** How long before the files go. */
  readonly ahead: number;
}

const first: Warning = { warning: 'first', rule: isToBeWarnedFirst, ahead: firstLetterAhead };
const last: Warning = { warning: 'last', rule: isToBeWarnedLast, ahead: lastLetterAhead };

/** Queues the letters that are due, each once while an account stays unused. Answers how many of each. */
export async function warnDormant(
  run: JobRun,
  running: RunningTime,
): Promise<{ firstLetters: number; lastLetters: number }> {
  return { firstLetters: await warnAll(run, running, first), lastLetters: await warnAll(run, running, last) };
}

async function warnAll(run: JobRun, running: RunningTime, warning: Warning): Promise<number> {
  let letters = 0;
  const isDue = warning.rule(running);
  for await (const { id } of dormantFrom(run.context, isDue)) {
    run.signal.throwIfAborted();
    if (run.dryRun || (await warn(run, { ...warning, isDue }, id))) letters += 1;
    await nextTurn();
  }
  return letters;
}

/** The account's row is held, so that of two runs one finds the other's letter. */
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
    // An owner who is warned late has as long as everybody.
    const deletedAt = Math.max(
      due.last_active_at + dormantAfter,
      due.first_warned_at + firstLetterAhead,
      context.clock.now() + ahead,
    );
    await queueLetter({ ...context, db: tx }, inactivityLetter(context, due.email, deletedAt), { account, warning });
    return true;
  });
}
