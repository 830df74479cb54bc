import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { closeRows } from './close-account.ts';
import { emailKey } from './find-account.ts';
import { returnInvitations } from './invitations.ts';
import type { Attempt } from './pending-cookie.ts';

/** Values of a row that reveal no name, address or location. */
export const erasedOwner = {
  email: '',
  email_key: '',
  name: '',
  timezone: 'UTC',
  timezone_auto: 1,
  preferred_domain: null,
  invitation_id: null,
} as const;

/**
 * Deletes accounts whose address was never confirmed, without a trace of their owner, and releases their uses of
 * invitations. An empty row is kept, because searching all files for references to it would cost more.
 */
export async function forgetSignUps(tx: Transaction, accountIds: readonly string[], now: number): Promise<void> {
  await returnInvitations(tx, accountIds);
  for (const id of accountIds) await closeRows(tx, id, now);
  await tx.updateTable('accounts').set(erasedOwner).where('id', 'in', accountIds).execute();
}

/**
 * Deletes the sign-up that this browser has just made with the same invitation and another address, which was probably
 * mistyped: the new address can take its use in the same transaction. It must be the newest sign-up of that address.
 */
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
