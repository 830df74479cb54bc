import { Failure } from '@holdfast/contract/src/errors.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { InvitationRow } from '../storage/db/schema.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { emailKey } from './find-account.ts';

/** Browsers do not send the fragment to a server. */
export const invitationLink = ({ config: { origins } }: Pick<Context, 'config'>, token: string): string =>
  `${origins.app}/sign-up#invitation=${token}`;

/**
 * Signing up again with an address that is not verified yet takes no other use.
 * @throws {Failure} INVITATION_INVALID.
 */
export async function takeInvitation(
  { db, clock }: { readonly db: Transaction } & Pick<Context, 'clock'>,
  token: string,
  email: string,
): Promise<InvitationRow> {
  // Another sign-up of the address may take a use meanwhile: the next statement sees its account only if it begins later.
  await lockRows(db, db.selectFrom('invitations').select('id').where('token_hash', '=', sha256Hex(token)));
  const again = sql<boolean>`EXISTS (
    SELECT 1 FROM accounts
    WHERE accounts.invitation_id = invitations.id AND accounts.email_key = ${emailKey(email)}
      AND accounts.closed_at IS NULL AND accounts.verified_at IS NULL AND accounts.asked_at IS NULL
  )`;
  const taken = await db
    .updateTable('invitations')
    .set({ uses: sql<number>`uses + CASE WHEN ${again} THEN 0 ELSE 1 END` })
    .where('token_hash', '=', sha256Hex(token))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .where(sql<boolean>`(uses < most_uses OR ${again})`)
    .where(sql<boolean>`(for_owner = 0 OR NOT EXISTS ${verifiedAccounts(db)})`)
    .returningAll()
    .executeTakeFirst();
  if (!taken) throw new Failure('INVITATION_INVALID');
  return taken;
}

export const verifiedAccounts = (db: Database) =>
  db.selectFrom('accounts').select('id').where('closed_at', 'is', null).where('verified_at', 'is not', null).limit(1);

export async function returnInvitations(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('invitations')
    .set((eb) => ({
      uses: eb(
        'uses',
        '-',
        eb
          .selectFrom('accounts')
          .select((row) => row.fn.countAll<number>().as('accounts'))
          .whereRef('accounts.invitation_id', '=', 'invitations.id')
          .where('accounts.id', 'in', accountIds),
      ),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('accounts')
        .select((row) => row.ref('accounts.invitation_id').$notNull().as('id'))
        .where('accounts.id', 'in', accountIds)
        .where('accounts.invitation_id', 'is not', null),
    )
    .execute();
}
