import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { OutgoingEmailRow } from '../storage/db/schema.ts';

type Parts = Pick<Context, 'db' | 'clock'>;

/** An owner who returned while the warning was queued is not warned, nor of a day that no longer counts. */
export async function isStillTrue({ db, clock }: Parts, row: OutgoingEmailRow): Promise<boolean> {
  if (row.warns_account === null) return true;
  const warned = unusedSince(db, row).where('deletion_due_at', '>', clock.now()).where('slots_used', '>', 0);
  return (await warned.select('id').executeTakeFirst()) !== undefined;
}

export function noteSent({ db, clock }: Parts, row: OutgoingEmailRow): Promise<void> {
  return removeEmail(db, row, async (tx, account) => {
    const now = clock.now();
    await tx
      .updateTable('accounts')
      .set({ warning_failed_at: 0, ...(row.warning === 'first' ? { first_warned_at: now } : { last_warned_at: now }) })
      .where('id', '=', account)
      .execute();
  });
}

/** Returns whether that is news: the operator already knows of an account that could not be warned before. */
export async function noteGivenUp({ db, clock }: Parts, row: OutgoingEmailRow): Promise<boolean> {
  let isNews = true;
  await removeEmail(db, row, async (tx, account) => {
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

async function removeEmail(
  db: Context['db'],
  row: OutgoingEmailRow,
  note: (tx: Transaction, account: string) => Promise<void>,
): Promise<void> {
  const remove = (within: Context['db']) => within.deleteFrom('outgoing_emails').where('id', '=', row.id).execute();
  const { warns_account: account } = row;
  if (account === null) return void (await remove(db));
  await db.transaction().execute(async (tx) => {
    await lockRows(tx, unusedSince(tx, row).select('id'));
    if (await unusedSince(tx, row).select('id').executeTakeFirst()) await note(tx, account);
    await remove(tx);
  });
}

const unusedSince = (db: Context['db'], { warns_account, created_at }: OutgoingEmailRow) =>
  db
    .selectFrom('accounts')
    .where('id', '=', warns_account)
    .where('closed_at', 'is', null)
    .where('last_active_at', '<', created_at)
    .where('deletion_due_at', '>', 0);
