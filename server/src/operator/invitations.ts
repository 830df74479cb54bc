import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { randomBytes } from 'node:crypto';
import { invitationLink } from '../accounts/invitations.ts';
import type { Context } from '../context.ts';
import type { InvitationRow } from '../storage/db/schema.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';
import { type Actor, recordAction } from './record-action.ts';

export interface NewInvitation {
  readonly level: PlanLevel;
  readonly mostUses: number;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
  /** True if its accounts need no code. */
  readonly verifies: boolean;
}

export interface Invited {
  readonly id: string;
  readonly link: string;
}

export function createInvitation(
  context: Pick<Context, 'db' | 'clock' | 'origins'>,
  actor: Actor,
  { level, mostUses, expiresAt, verifies }: NewInvitation,
): Promise<Invited> {
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
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
    await recordAction(within, actor, { subject: id, details: { level, uses: mostUses, verifies } });
    return { id, link: invitationLink(context, token) };
  });
}

/** Returns whether the invitation was open until now. Accounts that it made stay. */
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

export interface ListedInvitation extends Omit<InvitationRow, 'token_hash'> {
  readonly state: 'open' | 'used up' | 'expired' | 'revoked';
}

/** Returns all invitations, the newest first, without the link of the first owner. */
export async function listInvitations({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<ListedInvitation[]> {
  const now = clock.now();
  const rows = await db
    .selectFrom('invitations')
    .select(['id', 'for_owner', 'verifies', 'level', 'uses', 'most_uses', 'created_at', 'expires_at', 'revoked_at'])
    .where('for_owner', '=', 0)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, state: stateOf(row, now) }));
}

function stateOf(
  { revoked_at, expires_at, uses, most_uses }: Omit<InvitationRow, 'token_hash'>,
  now: number,
): ListedInvitation['state'] {
  if (revoked_at !== null) return 'revoked';
  if (uses >= most_uses) return 'used up';
  return expires_at <= now ? 'expired' : 'open';
}
