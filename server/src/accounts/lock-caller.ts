import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import type { Caller } from './identify.ts';

/**
 * A new password, a new key and the end of a session end the calls that were identified before, too.
 * @throws {Failure} AUTH_INVALID_KEY, AUTH_REQUIRED.
 */
export async function lockCaller(tx: Transaction, { account, by, sessionId }: Caller, now: number): Promise<void> {
  // First and alone: a statement that had to wait for the row would not see which sessions have ended meanwhile.
  await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', account.id));
  let open = tx
    .updateTable('accounts')
    .set({ last_active_at: now })
    .where('id', '=', account.id)
    .where('closed_at', 'is', null);
  if (by === 'key') open = open.where('key_hash', '=', account.key_hash);
  else {
    const session = tx
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', sessionId ?? '');
    open = open.where('password_version', '=', account.password_version).where((eb) => eb.exists(session));
  }
  if ((await open.executeTakeFirst()).numUpdatedRows !== 1n)
    throw new Failure(by === 'key' ? 'AUTH_INVALID_KEY' : 'AUTH_REQUIRED');
}

/** Every change on behalf of a caller is made here. */
export function changeAs<T>(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockCaller(tx, caller, clock.now());
    return change(tx);
  });
}

export const changeAccount = (
  context: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  columns: Partial<AccountRow>,
): Promise<void> =>
  changeAs(context, caller, async (tx) => {
    await tx.updateTable('accounts').set(columns).where('id', '=', caller.account.id).execute();
  });
