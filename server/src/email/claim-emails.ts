import type { Context } from '../context.ts';
import type { OutgoingEmailRow } from '../storage/db/schema.ts';
import { skipLocked } from '../storage/db/lock-rows.ts';
import { longestSend } from '../services/mail/mail.ts';

const lease = 2 * longestSend;

export type EmailKind = 'expiring' | 'lasting';

/** The UPDATE repeats the condition, so only one process gets each email. */
export async function claimEmails(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  kind: EmailKind,
  most: number,
): Promise<OutgoingEmailRow[]> {
  if (most <= 0) return [];
  const now = clock.now();
  const due = db
    .selectFrom('outgoing_emails')
    .select('id')
    .where('due_at', '<=', now)
    .where('expires_at', kind === 'expiring' ? 'is not' : 'is', null)
    .orderBy('due_at')
    .limit(most);
  return db
    .updateTable('outgoing_emails')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: now + lease }))
    .where('id', 'in', skipLocked(db, due))
    .where('due_at', '<=', now)
    .returningAll()
    .execute();
}
