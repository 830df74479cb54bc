import type { Context } from '../context.ts';
import type { Letter } from '../engines/mail/mail.ts';
import { newRowId } from '../lib/row-id.ts';
import { sealLetter } from './sealed-letter.ts';

export interface LetterToQueue extends Letter {
  /** How long what it says is of use, in milliseconds; null is for ever. What could not leave by then is dropped. */
  readonly validFor: number | null;
}

/**
 * Puts a letter into the post. `db` is the caller's transaction: the letter leaves exactly when what it tells of is
 * committed. It is sent by `openPost`, and nobody waits for the mail server here.
 */
export async function queueLetter(
  { db, clock, secret }: Pick<Context, 'db' | 'clock' | 'secret'>,
  letter: LetterToQueue,
): Promise<void> {
  const now = clock.now();
  const id = newRowId(now);
  await db
    .insertInto('letters')
    .values({
      id,
      recipient: letter.to,
      sealed: sealLetter(secret, id, letter),
      created_at: now,
      expires_at: letter.validFor === null ? null : now + letter.validFor,
      due_at: now,
    })
    .execute();
}
