import { Failure } from '@holdfast/contract/src/errors.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { type Actor, recordAction } from '../storage/db/record-action.ts';
import type { AccountRow, InvitationRow } from '../storage/db/schema.ts';
import { hours } from '../lib/clock.ts';
import { deriveKey, sha256Hex } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';
import { emailKey } from './find-account.ts';

/** Browsers do not send the fragment to a server. */
const invitationLink = ({ config: { origins } }: Pick<Context, 'config'>, token: string): string =>
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

const verifiedAccounts = (db: Database) =>
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

export function createInvitation(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  actor: Actor,
  {
    level,
    mostUses,
    expiresAt,
    verifies,
  }: { level: PlanLevel; mostUses: number; expiresAt: number; verifies: boolean },
): Promise<{ id: string; link: string }> {
  return context.db.transaction().execute(async (tx) => {
    // People type it into a command.
    const id = randomText(8);
    const token = randomBytes(24).toString('base64url');
    await tx
      .insertInto('invitations')
      .values({
        id,
        token_hash: sha256Hex(token),
        for_owner: 0,
        verifies: verifies ? 1 : 0,
        level,
        most_uses: mostUses,
        created_at: context.clock.now(),
        expires_at: expiresAt,
      })
      .execute();
    const details = { level, uses: mostUses, verifies };
    await recordAction({ ...context, db: tx }, actor, { subject: id, details });
    return { id, link: invitationLink(context, token) };
  });
}

export function revokeInvitation(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const revoked = await tx
      .updateTable('invitations')
      .set({ revoked_at: clock.now() })
      .where('id', '=', id)
      .where('for_owner', '=', 0)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (Number(revoked.numUpdatedRows) === 0) return false;
    await recordAction({ db: tx, clock }, actor, { subject: id });
    return true;
  });
}

export async function listInvitations({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const now = clock.now();
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('for_owner', '=', 0)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, state: stateOf(row, now) }));
}

function stateOf({ revoked_at, expires_at, uses, most_uses }: InvitationRow, now: number) {
  if (revoked_at !== null) return 'revoked';
  if (uses >= most_uses) return 'used up';
  return expires_at <= now ? 'expired' : 'open';
}

const ownerId = 'owner';

/** Whether the account was made by the link below. */
export const isOwner = ({ invitation_id }: Pick<AccountRow, 'invitation_id'>): boolean => invitation_id === ownerId;

/**
 * Returns the link by which the first owner signs up: on House, and without a code. It works once, for a day, and only
 * while nobody has an account; after that this returns null. The token follows from the secret key and the time, so
 * every process returns the same link.
 */
export async function ownerLink(
  context: Pick<Context, 'db' | 'clock' | 'secret' | 'config'>,
): Promise<{ readonly link: string; readonly expiresAt: number } | null> {
  const { db, clock, secret } = context;
  if (await verifiedAccounts(db).executeTakeFirst()) return null;
  const now = clock.now();
  const tokenAt = (time: number) => deriveKey(secret, `owner link ${time}`).toString('base64url').slice(0, 32);
  const fresh = {
    token_hash: sha256Hex(tokenAt(now)),
    for_owner: 1,
    verifies: 1,
    level: 'house',
    uses: 0,
    most_uses: 1,
    created_at: now,
    expires_at: now + hours(24),
  } as const;
  const stored = await storedLink(db).executeTakeFirst();
  // After a change of the secret key, nobody can compute the token again.
  const lostHash = stored && stored.token_hash !== sha256Hex(tokenAt(stored.created_at)) ? stored.token_hash : '';
  await db
    .insertInto('invitations')
    .values({ id: ownerId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(fresh)
        .where((eb) =>
          eb.or([
            eb('invitations.expires_at', '<=', now),
            eb('invitations.uses', '>', 0),
            eb('invitations.token_hash', '=', lostHash),
          ]),
        ),
    )
    .execute();
  const { created_at, expires_at } = await storedLink(db).executeTakeFirstOrThrow();
  return { link: invitationLink(context, tokenAt(created_at)), expiresAt: expires_at };
}

const storedLink = (db: Database) =>
  db.selectFrom('invitations').select(['token_hash', 'created_at', 'expires_at']).where('id', '=', ownerId);
