import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { queueEmail } from '../email/queue-email.ts';
import { accountDeletedEmail } from '../email/templates.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { emailKey } from './find-account.ts';
import { returnInvitations } from './invitations.ts';
import { closeResetKeys } from './reset-keys.ts';
import type { Attempt } from './sealed-cookies.ts';
import { endSessionsOf } from './sessions.ts';

/**
 * A job deletes the rows of its files later. The row of the account is kept without credentials, because the names of
 * its files are never reused.
 * @throws {Failure} AUTH_REQUIRED when it is closed already.
 */
export async function closeAccount(
  context: Context,
  account: AccountRow,
  alongside: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    await alongside(tx);
    if (!(await closeRows(tx, account.id, context.clock.now()))) throw new Failure('AUTH_REQUIRED');
    await queueEmail({ ...context, db: tx }, accountDeletedEmail(context, account.email));
  });
}

/** Returns false if it was closed before. */
export async function closeRows(tx: Transaction, accountId: string, now: number): Promise<boolean> {
  // Lock the account's row first, as everywhere: a concurrent upload has committed before, or is rejected.
  const closed = await tx
    .updateTable('accounts')
    .set({ closed_at: now, password_hash: '', key_hash: `closed ${accountId}`, key_sealed: '' })
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (Number(closed.numUpdatedRows) !== 1) return false;
  await endSessionsOf({ db: tx }, accountId);
  await closeResetKeys(tx, accountId);
  await tx.deleteFrom('email_codes').where('account_id', '=', accountId).execute();
  // Billing cancels until the provider confirms it.
  await tx
    .updateTable('subscriptions')
    .set({ cancel_requested_at: now, cancel_due_at: 0 })
    .where('account_id', '=', accountId)
    .where('customer_id', 'is not', null)
    .execute();
  return true;
}

export const erasedOwner = {
  email: '',
  email_key: '',
  name: '',
  timezone: 'UTC',
  timezone_auto: 1,
  preferred_domain: null,
  invitation_id: null,
} as const;

/** Deletes accounts whose address was never confirmed, without a trace of their owner. */
export async function forgetSignUps(tx: Transaction, accountIds: readonly string[], now: number): Promise<void> {
  await returnInvitations(tx, accountIds);
  for (const id of accountIds) await closeRows(tx, id, now);
  await tx.updateTable('accounts').set(erasedOwner).where('id', 'in', accountIds).execute();
}

/** Deletes the newest sign-up of this browser with the same invitation, whose address was probably mistyped. */
export async function forgetMistyped(
  { db: tx, clock }: { readonly db: Transaction } & Pick<Context, 'clock'>,
  { accountId, attempt }: Attempt,
  invitation: string,
  email: string,
): Promise<void> {
  const ofBrowser = tx.selectFrom('accounts').select('id').where('id', '=', accountId);
  // A second sign-up of this browser at the same time waits here, and then finds the account closed.
  await lockRows(tx, ofBrowser);
  const mistyped = await ofBrowser
    .where('email_key', '<>', emailKey(email))
    .where('verified_at', 'is', null)
    .where('asked_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('slots_used', '=', 0)
    .where('invitation_id', 'in', (eb) =>
      eb
        .selectFrom('invitations')
        .select((row) => row.ref('invitations.id').$castTo<string | null>().as('id'))
        .where('token_hash', '=', sha256Hex(invitation)),
    )
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('email_codes')
        .select('account_id')
        .where('account_id', '=', accountId)
        .where('attempt', '=', attempt),
    )
    .executeTakeFirst();
  if (mistyped) await forgetSignUps(tx, [mistyped.id], clock.now());
}
