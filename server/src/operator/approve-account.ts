import { closeRows } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import { type EmailToQueue, queueEmail } from '../email/queue-email.ts';
import { approvedEmail, rejectedEmail } from '../email/templates.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { type Actor, recordAction } from './record-action.ts';

type Parts = Pick<Context, 'config' | 'origins' | 'db' | 'clock' | 'secret'>;

type Waiting = Pick<AccountRow, 'id' | 'email'>;

/** Approves an account that waits. Returns false if it does not wait, or no longer. */
export function approveAccount(context: Parts, actor: Actor, account: Waiting): Promise<boolean> {
  return answer(context, actor, account, async (tx, now) => {
    const approved = { verified_at: now, needs_approval: 0 } as const;
    await tx.updateTable('accounts').set(approved).where('id', '=', account.id).execute();
    return approvedEmail(context, account.email);
  });
}

/** Deletes an account that waits, and tells its owner. Returns false if it does not wait, or no longer. */
export function rejectAccount(context: Parts, actor: Actor, account: Waiting): Promise<boolean> {
  return answer(context, actor, account, async (tx, now) => {
    await closeRows(tx, account.id, now);
    return rejectedEmail(context, account.email);
  });
}

/** Ends the wait. Of several answers at once only one carries out its `act`, which returns the email to the owner. */
function answer(
  context: Parts,
  actor: Actor,
  { id, email }: Waiting,
  act: (tx: Transaction, now: number) => Promise<EmailToQueue>,
): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const ended = await tx
      .updateTable('accounts')
      .set({ asked_at: null })
      .where('id', '=', id)
      .where('verified_at', 'is', null)
      .where('asked_at', 'is not', null)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(ended.numUpdatedRows) === 0) return false;
    const told = await act(tx, context.clock.now());
    await recordAction(within, actor, { subject: email });
    await queueEmail(within, told);
    return true;
  });
}
