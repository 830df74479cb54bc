/**
 * Letters that warn of a deletion. An account counts as warned when a mail server has taken the letter, and of the time
 * in which nobody used it: who comes back between the queue and the mail server is warned of nothing.
 */
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { LetterRow } from '../engines/database/schema.ts';

type Parts = Pick<Context, 'db' | 'clock'>;

/** Whether a warning still says what is true: nobody has used the account since it was queued. */
export async function isStillTrue({ db }: Pick<Context, 'db'>, row: LetterRow): Promise<boolean> {
  if (row.warns_account === null) return true;
  const unused = await unusedSince(db, row).select('id').executeTakeFirst();
  return unused !== undefined;
}

/** Removes a letter that a mail server has taken. What it warns of counts from now on. */
export function noteHandedOver({ db, clock }: Parts, row: LetterRow): Promise<void> {
  return removeLetter(db, row, async (tx, account) => {
    const now = clock.now();
    await tx
      .updateTable('accounts')
      .set({ warning_failed_at: 0, ...(row.warning === 'first' ? { first_warned_at: now } : { last_warned_at: now }) })
      .where('id', '=', account)
      .execute();
  });
}

/**
 * Removes a letter that cannot be handed over, and answers whether that is news: of an account that could not be warned
 * before either, the operator knows.
 */
export async function noteGivenUp({ db, clock }: Parts, row: LetterRow): Promise<boolean> {
  let isNews = true;
  await removeLetter(db, row, async (tx, account) => {
    const { warning_failed_at, last_active_at } = await tx
      .selectFrom('accounts')
      .select(['warning_failed_at', 'last_active_at'])
      .where('id', '=', account)
      .executeTakeFirstOrThrow();
    isNews = warning_failed_at <= last_active_at;
    await tx.updateTable('accounts').set({ warning_failed_at: clock.now() }).where('id', '=', account).execute();
  });
  return isNews;
}

/** `note` is done in the same transaction, if the account that the letter warns is still unused. */
async function removeLetter(
  db: Context['db'],
  row: LetterRow,
  note: (tx: Transaction, account: string) => Promise<void>,
): Promise<void> {
  const remove = (within: Context['db']) => within.deleteFrom('letters').where('id', '=', row.id).execute();
  const { warns_account: account } = row;
  if (account === null) return void (await remove(db));
  await db.transaction().execute(async (tx) => {
    // The account's row first, as everywhere.
    await lockRows(tx, unusedSince(tx, row).select('id'));
    if (await unusedSince(tx, row).select('id').executeTakeFirst()) await note(tx, account);
    await remove(tx);
  });
}

const unusedSince = (db: Context['db'], { warns_account, created_at }: LetterRow) =>
  db
    .selectFrom('accounts')
    .where('id', '=', warns_account)
    .where('closed_at', 'is', null)
    .where('last_active_at', '<', created_at);
