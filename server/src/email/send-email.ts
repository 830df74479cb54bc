import type { Context } from '../context.ts';
import type { OutgoingEmailRow } from '../storage/db/schema.ts';
import { openSealedEmail } from './sealed-email.ts';
import { isStillTrue, noteSent } from './note-warning.ts';
import { tryLater } from './retry.ts';

export type EmailWorkerParts = Pick<Context, 'db' | 'mail' | 'clock' | 'secret' | 'log' | 'reports'>;

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
