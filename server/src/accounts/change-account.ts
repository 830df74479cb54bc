import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan, PlanLevel } from '@holdfast/contract/src/plans.ts';
import { signUpEmail } from '@holdfast/contract/src/rules.ts';
import { closeRows } from './close-account.ts';
import { hashPassword } from './passwords.ts';
import { ownLimitsColumn, ownLimitsIn, type OwnLimits, planOf } from './plan-of.ts';
import { openResetKey } from './reset-keys.ts';
import { storeAccount } from './sign-up.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { approvedEmail, rejectedEmail, resetLink } from '../email/templates.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { randomText } from '../lib/random-text.ts';
import { type Actor, recordAction } from '../storage/db/record-action.ts';

type Joining = Pick<Context, 'passwordCost' | 'config' | 'db' | 'clock' | 'secret'>;

type Named = Pick<AccountRow, 'id' | 'email'>;

export async function createAccount(context: Joining, actor: Actor, email: string, level: PlanLevel): Promise<string> {
  const { success, error } = signUpEmail.safeParse(email);
  if (!success) throw new Failure('INVALID_INPUT', `'${email}' is not an email address: ${error.issues[0]?.message}.`);
  const passwordHash = await unknownPassword(context);
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const id = await storeAccount(within, email, passwordHash, {
      level,
      invitationId: null,
      isVerified: true,
      needsApproval: false,
    });
    if (id === undefined) throw new Failure('EMAIL_TAKEN', `There is an account '${email}' already.`);
    await tx.deleteFrom('email_codes').where('account_id', '=', id).execute();
    await recordAction(within, actor, { subject: id, details: { level } });
    return resetLink(context, await openResetKey(within, email, id));
  });
}

/** Nobody knows it, so nobody can sign in before the link is used. */
const unknownPassword = ({ passwordCost }: Joining) => hashPassword(randomText(43), passwordCost);

export function newResetLink(context: Joining, actor: Actor, account: AccountRow): Promise<string> {
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    await recordAction(within, actor, { subject: account.id });
    return resetLink(context, await openResetKey(within, account.email, account.id));
  });
}

/**
 * Returns the link by which its owner chooses a password, or null if it was verified before. The last sign-up, whose
 * password it had, may be another person's.
 */
export async function verifyAccount(context: Joining, actor: Actor, { id, email }: Named): Promise<string | null> {
  const password_hash = await unknownPassword(context);
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const verified = await tx
      .updateTable('accounts')
      .set({ asked_at: null, verified_at: context.clock.now(), needs_approval: 0, password_hash })
      .where('id', '=', id)
      .where('verified_at', 'is', null)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(verified.numUpdatedRows) !== 1) return null;
    await tx.deleteFrom('email_codes').where('account_id', '=', id).execute();
    await recordAction(within, actor, { subject: id });
    return resetLink(context, await openResetKey(within, email, id));
  });
}

/** Returns false if it does not wait. Of several decisions at once only one counts. */
export function decideOnAccount(
  context: Joining,
  actor: Actor,
  { id, email }: Named,
  decision: 'approve' | 'reject',
): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const now = context.clock.now();
    const decided = await tx
      .updateTable('accounts')
      .set({ asked_at: null, ...(decision === 'approve' && { verified_at: now, needs_approval: 0 }) })
      .where('id', '=', id)
      .where('verified_at', 'is', null)
      .where('closed_at', 'is', null)
      .where('asked_at', 'is not', null)
      .executeTakeFirst();
    if (Number(decided.numUpdatedRows) !== 1) return false;
    if (decision === 'reject') await closeRows(tx, id, now);
    await tx.deleteFrom('email_codes').where('account_id', '=', id).execute();
    await recordAction(within, actor, { subject: id });
    if (decision === 'approve') await queueEmail(within, approvedEmail(context, email));
    if (decision === 'reject') await queueEmail(within, rejectedEmail(context, email));
    return true;
  });
}

/** `plan` means the limit of the plan again. */
export type LimitChanges = { readonly [Key in keyof OwnLimits]: OwnLimits[Key] | 'plan' };

export function setLimits(
  context: Context,
  actor: Actor,
  { id }: Pick<AccountRow, 'id'>,
  changes: LimitChanges,
): Promise<Plan | null> {
  return context.db.transaction().execute(async (tx) => {
    // Locks the row, so that two changes at once do not lose one of them.
    const before = await tx
      .updateTable('accounts')
      .set((eb) => ({ own_limits: eb.ref('own_limits') }))
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning(['level', 'own_limits'])
      .executeTakeFirst();
    if (!before) return null;
    const limits: OwnLimits = Object.fromEntries(
      Object.entries({ ...ownLimitsIn(before.own_limits), ...changes }).filter(([, value]) => value !== 'plan'),
    );
    const own_limits = ownLimitsColumn(limits);
    await tx.updateTable('accounts').set({ own_limits }).where('id', '=', id).execute();
    await recordAction({ ...context, db: tx }, actor, {
      subject: id,
      details: { limits, before: ownLimitsIn(before.own_limits) },
    });
    return planOf(context, { level: before.level, own_limits });
  });
}
