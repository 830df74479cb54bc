/**
 * A letter that grows while something long goes on: it waits in the queue of outgoing letters, each further piece of news
 * writes it again in the transaction of that piece, and at the end it is released. A process that is killed in between
 * loses nothing, because the letter leaves some time later anyway.
 */
import type { Context } from '../context.ts';
import type { LetterToQueue } from './queue-letter.ts';
import { hours } from '../lib/clock.ts';
import { sealLetter } from './sealed-letter.ts';

type Parts = Pick<Context, 'db' | 'clock' | 'secret'>;

const waitsAtMost = hours(1);

/** Queues `letter` under `id` or writes it anew. False when the one of this id is on its way already. */
export async function gatherLetter({ db, clock, secret }: Parts, id: string, letter: LetterToQueue): Promise<boolean> {
  const now = clock.now();
  const news = { sealed: sealLetter(secret, id, letter), created_at: now, due_at: now + waitsAtMost };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('letters')
    .values({ id, recipient: letter.to, expires_at: null, ...news })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(news).where('letters.attempts', '=', 0))
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) === 1;
}

/** Lets the letters wait on, because what they tell of still goes on. */
export const keepLetters = ({ db, clock }: Parts, ids: readonly string[]): Promise<void> =>
  setDue(db, ids, clock.now() + waitsAtMost);

export const releaseLetters = ({ db, clock }: Parts, ids: readonly string[]): Promise<void> =>
  setDue(db, ids, clock.now());

const idsPerStatement = 500;

async function setDue(db: Context['db'], ids: readonly string[], dueAt: number): Promise<void> {
  for (let at = 0; at < ids.length; at += idsPerStatement)
    await db
      .updateTable('letters')
      .set({ due_at: dueAt })
      .where('id', 'in', ids.slice(at, at + idsPerStatement))
      .where('attempts', '=', 0)
      .execute();
}
