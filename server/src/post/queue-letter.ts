import type { Context } from '../context.ts';
import type { Letter } from '../engines/mail/mail.ts';
import { newRowId } from '../lib/row-id.ts';
import { sealLetter } from './sealed-letter.ts';

export interface LetterToQueue extends Letter {
  /** How long what it says is of use, in milliseconds; null is for ever. What could not leave by then is dropped. */
  readonly validFor: number | null;
}

/** Which warning a letter is, and for whose files. It counts when a mail server has taken it, not when it is queued. */
export interface Warns {
  readonly account: string;
  readonly warning: 'first' | 'last';
}

/**
 * Puts a letter into the post. `db` is the caller's transaction: the letter leaves exactly when what it tells of is
 * committed. It is sent by `openPost`, and nobody waits for the mail server here.
 */
export async function queueLetter(
  { db, clock, secret }: Pick<Context, 'db' | 'clock' | 'secret'>,
  letter: LetterToQueue,
  warns: Warns | null = null,
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
      warns_account: warns?.account ?? null,
      warning: warns?.warning ?? null,
    })
    .execute();
}
