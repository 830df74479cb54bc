import type { LetterRow } from '../engines/database/schema.ts';
import { LetterRefused } from '../engines/mail/mail.ts';
import { days, minutes, seconds } from '../lib/clock.ts';
import { reasonOf } from './reason-of.ts';
import { openLetter } from './sealed-letter.ts';
import type { PostParts } from './send-letters.ts';
import { isStillTrue, noteGivenUp, noteHandedOver } from './warnings.ts';

const triedFor = days(3);
const firstWait = seconds(5);
const longestWait = minutes(15);
const cannotBeWarned = 'the owner of an unused account cannot be warned, so its files are kept';

/**
 * Hands over a letter that this process has taken, and notes what came of it. `handedOver` holds the letters that are
 * sent and whose rows could not be removed yet: they are not sent again.
 */
export async function deliver(parts: PostParts, row: LetterRow, handedOver: Set<string>): Promise<void> {
  const { mail, clock, log, secret } = parts;
  const isLate = row.expires_at !== null && row.expires_at <= clock.now();
  if (isLate && row.attempts > 1)
    log.warn({ letter: row.id, to: row.recipient }, 'a letter could not be sent while it was of use and is dropped');
  if (!handedOver.has(row.id)) {
    if (isLate || !(await isStillTrue(parts, row))) return removeLetter(parts, row);
    try {
      await mail.send(openLetter(secret, row), row.id);
    } catch (error) {
      await tryLater(parts, row, error);
      return;
    }
    handedOver.add(row.id);
  }
  await noteHandedOver(parts, row);
  handedOver.delete(row.id);
}

async function removeLetter({ db }: PostParts, { id }: LetterRow): Promise<void> {
  await db.deleteFrom('letters').where('id', '=', id).execute();
}

async function tryLater(parts: PostParts, row: LetterRow, error: unknown) {
  const { db, clock, log } = parts;
  const now = clock.now();
  const facts = { letter: row.id, to: row.recipient, attempts: row.attempts, reason: reasonOf(error) };
  if (error instanceof LetterRefused || now - row.created_at >= triedFor) {
    const isNews = await noteGivenUp(parts, row);
    const what = row.warning === null ? 'a letter could not be sent and is given up' : cannotBeWarned;
    return log[isNews ? 'error' : 'info'](facts, what);
  }
  log.warn(facts, 'a letter could not be sent and waits for another try');
  await db
    .updateTable('letters')
    .set({ due_at: now + waitAfter(row.attempts) })
    .where('id', '=', row.id)
    // If the lease ran out, somebody else has it now.
    .where('attempts', '=', row.attempts)
    .execute();
}

/** Twice as long each time, and not for all letters the same: a server that comes back is not met by all at once. */
function waitAfter(attempts: number): number {
  const longest = Math.min(longestWait, firstWait * 2 ** Math.min(attempts - 1, 20));
  return Math.ceil(longest * (0.5 + Math.random() / 2));
}
