import type { Context } from '../context.ts';
import { days, minutes, seconds } from '../lib/clock.ts';
import { EmailRefused } from '../services/mail/mail.ts';
import type { OutgoingEmailRow } from '../storage/db/schema.ts';
import { noteGivenUp } from './note-warning.ts';
import { reasonOf } from './failure-reason.ts';

const triedFor = days(3);
const firstWait = seconds(5);
const longestWait = minutes(15);
const cannotBeWarned = 'the owner of an inactive account could not be warned, so its files are kept';

export async function tryLater(parts: Pick<Context, 'db' | 'clock' | 'log'>, row: OutgoingEmailRow, error: unknown) {
  const { db, clock, log } = parts;
  const now = clock.now();
  const facts = { email: row.id, to: row.recipient, attempts: row.attempts, reason: reasonOf(error) };
  if (error instanceof EmailRefused || now - row.created_at >= triedFor) {
    const isNews = await noteGivenUp(parts, row);
    const what = row.warning === null ? 'an email could not be sent and was given up' : cannotBeWarned;
    return log[isNews ? 'error' : 'info'](facts, what);
  }
  log.warn(facts, 'an email could not be sent and will be retried');
  await db
    .updateTable('outgoing_emails')
    .set({ due_at: now + waitAfter(row.attempts) })
    .where('id', '=', row.id)
    .where('attempts', '=', row.attempts)
    .execute();
}

function waitAfter(attempts: number): number {
  const longest = Math.min(longestWait, firstWait * 2 ** Math.min(attempts - 1, 20));
  return Math.ceil(longest * (0.5 + Math.random() / 2));
}
