import type { Context } from '../context.ts';
import type { Email } from '../services/mail/mail.ts';
import { newRowId } from '../lib/row-id.ts';
import { sealEmail } from './sealed-email.ts';

export interface EmailToQueue extends Email {
  readonly validFor: number | null;
}

export interface Warns {
  readonly account: string;
  readonly warning: 'first' | 'last';
}

/** Transactional outbox: `db` is the transaction of the change that the email announces. */
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
