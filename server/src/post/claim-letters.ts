import type { Context } from '../context.ts';
import type { LetterRow } from '../engines/database/schema.ts';
import { skipLocked } from '../engines/database/skip-locked.ts';
import { longestSend } from '../engines/mail/mail.ts';

/** If whoever took a letter has not finished with it by then, that process has ended and another may take it. */
const lease = 2 * longestSend;

/** A code or a link expires; what is of use for ever can wait for it. */
export type LetterKind = 'expiring' | 'lasting';

/** Takes up to `most` letters that are due. The condition stands in the update, so each goes to one process only. */
export async function claimLetters(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  kind: LetterKind,
  most: number,
): Promise<LetterRow[]> {
  if (most <= 0) return [];
  const now = clock.now();
  const due = db
    .selectFrom('letters')
    .select('id')
    .where('due_at', '<=', now)
    .where('expires_at', kind === 'expiring' ? 'is not' : 'is', null)
    .orderBy('due_at')
    .limit(most);
  return db
    .updateTable('letters')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: now + lease }))
    .where('id', 'in', skipLocked(db, due))
    .where('due_at', '<=', now)
    .returningAll()
    .execute();
}
