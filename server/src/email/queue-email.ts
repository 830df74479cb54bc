import type { Context } from '../context.ts';
import type { Email } from '../services/mail/mail.ts';
import { newRowId } from '../lib/row-id.ts';
import { sealEmail } from './sealed-email.ts';

export interface EmailToQueue extends Email {
  /**
   * Lifetime of the content in milliseconds; null means it does not expire. An email that could not be sent by then is
   * dropped.
   */
  readonly validFor: number | null;
}

/**
 * The kind of warning, and the account whose files it concerns. The account counts as warned when a mail server has
 * accepted the email, not when it is queued.
 */
export interface Warns {
  readonly account: string;
  readonly warning: 'first' | 'last';
}

/**
 * Queues an email. `db` is the caller's transaction: the email is sent if and only if the change it announces is
 * committed. `openEmailWorker` sends it, so callers do not wait for the mail server.
 */
export async function queueEmail(
  { db, clock, secret }: Pick<Context, 'db' | 'clock' | 'secret'>,
  email: EmailToQueue,
  warns: Warns | null = null,
): Promise<void> {
  const now = clock.now();
  const id = newRowId(now);
  await db
    .insertInto('outgoing_emails')
    .values({
      id,
      recipient: email.to,
      sealed: sealEmail(secret, id, email),
      created_at: now,
      expires_at: email.validFor === null ? null : now + email.validFor,
      due_at: now,
      warns_account: warns?.account ?? null,
      warning: warns?.warning ?? null,
    })
    .execute();
}
