import { setImmediate as nextTurn } from 'node:timers/promises';
import { inactivityLetter } from '../accounts/letters.ts';
import { queueLetter } from '../post/queue-letter.ts';
import {
  type DormantAccount,
  dormantAfter,
  dormantFrom,
  firstLetterAhead,
  isToBeWarnedFirst,
  isToBeWarnedLast,
  lastLetterAhead,
} from './dormancy-rules.ts';
import type { JobRun } from './job.ts';

interface Warning {
  readonly column: 'first_warned_at' | 'last_warned_at';
  readonly rule: typeof isToBeWarnedFirst;
  /** How long before the files go. */
  readonly ahead: number;
}

const first: Warning = { column: 'first_warned_at', rule: isToBeWarnedFirst, ahead: firstLetterAhead };
const last: Warning = { column: 'last_warned_at', rule: isToBeWarnedLast, ahead: lastLetterAhead };

/** Queues the letters that are due, each once while an account stays unused. Answers how many of each. */
export async function warnDormant(run: JobRun): Promise<{ firstLetters: number; lastLetters: number }> {
  return { firstLetters: await warnAll(run, first), lastLetters: await warnAll(run, last) };
}

async function warnAll(run: JobRun, warning: Warning): Promise<number> {
  let letters = 0;
  for await (const account of dormantFrom(run.context, warning.rule)) {
    run.signal.throwIfAborted();
    if (run.dryRun || (await warn(run, warning, account))) letters += 1;
    await nextTurn();
  }
  return letters;
}

/** The letter leaves exactly when it is noted that it was written. */
async function warn({ context }: JobRun, { column, rule, ahead }: Warning, account: DormantAccount): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const now = context.clock.now();
    const noted = await tx
      .updateTable('accounts')
      .set({ [column]: now })
      .where('id', '=', account.id)
      .where(rule(now))
      .returning(['email', 'last_active_at', 'first_warned_at'])
      .executeTakeFirst();
    if (!noted) return false;
    // Whoever is warned late has as long as everybody.
    const deletedAt = Math.max(
      noted.last_active_at + dormantAfter,
      noted.first_warned_at + firstLetterAhead,
      now + ahead,
    );
    await queueLetter({ ...context, db: tx }, inactivityLetter(context, noted.email, deletedAt));
    return true;
  });
}
