/**
 * An email that grows during a long operation: it waits in the queue of outgoing emails, each further item rewrites it
 * in the item's own transaction, and it is released at the end. If the process is killed in between, nothing is lost,
 * because the email is sent after a while anyway.
 */
import type { Context } from '../context.ts';
import type { EmailToQueue } from './queue-email.ts';
import { hours } from '../lib/clock.ts';
import { sealEmail } from './sealed-email.ts';

type Parts = Pick<Context, 'db' | 'clock' | 'secret'>;

const waitsAtMost = hours(1);

/** Queues `email` under `id`, or rewrites it. Returns false if the email with this id is already being sent. */
export async function gatherEmail({ db, clock, secret }: Parts, id: string, email: EmailToQueue): Promise<boolean> {
  const now = clock.now();
  const news = { sealed: sealEmail(secret, id, email), created_at: now, due_at: now + waitsAtMost };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('outgoing_emails')
    .values({ id, recipient: email.to, expires_at: null, ...news })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(news).where('outgoing_emails.attempts', '=', 0))
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) === 1;
}

/** Delays the emails further, because the operation they report on is still running. */
export const delayEmails = ({ db, clock }: Parts, ids: readonly string[]): Promise<void> =>
  setDue(db, ids, clock.now() + waitsAtMost);

export const releaseEmails = ({ db, clock }: Parts, ids: readonly string[]): Promise<void> =>
  setDue(db, ids, clock.now());

const idsPerStatement = 500;

async function setDue(db: Context['db'], ids: readonly string[], dueAt: number): Promise<void> {
  for (let at = 0; at < ids.length; at += idsPerStatement)
    await db
      .updateTable('outgoing_emails')
      .set({ due_at: dueAt })
      .where('id', 'in', ids.slice(at, at + idsPerStatement))
      .where('attempts', '=', 0)
      .execute();
}
