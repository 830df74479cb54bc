import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { type Actor, recordAction } from './record-action.ts';

/** Verifies an email address without its code. Returns false if it was verified before. */
export function verifyByOperator(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = clock.now();
    const verified = await tx
      .updateTable('accounts')
      .set({ verified_at: now, needs_approval: 0, asked_at: null })
      .where('id', '=', id)
      .where('verified_at', 'is', null)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(verified.numUpdatedRows) === 0) return false;
    // The pending code becomes invalid.
    await tx.deleteFrom('email_codes').where('account_id', '=', id).execute();
    await recordAction({ db: tx, clock }, actor, { subject: email });
    return true;
  });
}
