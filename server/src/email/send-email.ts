import type { Context } from '../context.ts';
import type { OutgoingEmailRow } from '../storage/db/schema.ts';
import { EmailRefused } from '../services/mail/mail.ts';
import { days, minutes, seconds } from '../lib/clock.ts';
import { reasonOf } from './failure-reason.ts';
import { openSealedEmail } from './sealed-email.ts';
import { isStillTrue, noteGivenUp, noteSent } from './deletion-warnings.ts';

export type EmailWorkerParts = Pick<Context, 'db' | 'mail' | 'clock' | 'secret' | 'log' | 'reports'>;

const triedFor = days(3);
const firstWait = seconds(5);
const longestWait = minutes(15);
const cannotBeWarned = 'the owner of an inactive account could not be warned, so its files are kept';

/** `sentEmails` holds those whose rows could not be deleted yet: they are not sent again. */
export async function sendEmail(
  parts: EmailWorkerParts,
  row: OutgoingEmailRow,
  sentEmails: Set<string>,
): Promise<void> {
  const { mail, clock, log, secret } = parts;
  const isLate = row.expires_at !== null && row.expires_at <= clock.now();
  if (isLate && row.attempts > 1)
    log.warn({ email: row.id, to: row.recipient }, 'an email expired before it could be sent and was dropped');
  if (!sentEmails.has(row.id)) {
    if (isLate || !(await isStillTrue(parts, row))) return removeEmail(parts, row);
    try {
      await mail.send(openSealedEmail(secret, row), row.id);
    } catch (error) {
      await tryLater(parts, row, error);
      return;
    }
    sentEmails.add(row.id);
  }
  await noteSent(parts, row);
  sentEmails.delete(row.id);
}

async function removeEmail({ db }: EmailWorkerParts, { id }: OutgoingEmailRow): Promise<void> {
  await db.deleteFrom('outgoing_emails').where('id', '=', id).execute();
}

async function tryLater(parts: EmailWorkerParts, row: OutgoingEmailRow, error: unknown) {
  const { db, clock, log } = parts;
  const now = clock.now();
  const facts = { email: row.id, to: row.recipient, attempts: row.attempts, reason: reasonOf(error) };
  if (error instanceof EmailRefused || clock.now() - row.created_at >= triedFor) {
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
