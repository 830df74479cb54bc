import type { Context } from '../context.ts';
import type { LetterRow } from '../engines/database/schema.ts';
import { longestSend } from '../engines/mail/mail.ts';

/** If whoever took a letter has not finished with it by then, that process has ended and another may take it. */
const lease = 2 * longestSend;

/** Takes up to `most` letters that are due. The condition stands in the update, so each goes to one process only. */
export async function claimLetters({ db, clock }: Pick<Context, 'db' | 'clock'>, most: number): Promise<LetterRow[]> {
  const now = clock.now();
  const due = db.selectFrom('letters').select('id').where('due_at', '<=', now).orderBy('due_at').limit(most);
  return db
    .updateTable('letters')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: now + lease }))
    .where('id', 'in', due)
    .where('due_at', '<=', now)
    .returningAll()
    .execute();
}
