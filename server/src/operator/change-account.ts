import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan, PlanLevel } from '@holdfast/contract/src/plans.ts';
import { signUpEmail } from '@holdfast/contract/src/rules.ts';
import { closeAccount, closeRows } from '../accounts/close-account.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { ownLimitsColumn, ownLimitsIn, type OwnLimits, planOf } from '../accounts/plan-of.ts';
import { openResetKey } from '../accounts/reset-keys.ts';
import { storeAccount } from '../accounts/sign-up.ts';
import { setLevel } from '../billing/subscription.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { approvedEmail, rejectedEmail, resetLink } from '../email/templates.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { emptyAccount } from '../files/delete.ts';
import { randomText } from '../lib/random-text.ts';
import { type Actor, recordAction } from './audit.ts';

type Joining = Pick<Context, 'config' | 'db' | 'clock' | 'secret'>;

type Named = Pick<AccountRow, 'id' | 'email'>;

export async function createAccount(context: Joining, actor: Actor, email: string, level: PlanLevel): Promise<string> {
  const { success, error } = signUpEmail.safeParse(email);
  if (!success) throw new Failure('INVALID_INPUT', `'${email}' is not an email address: ${error.issues[0]?.message}.`);
  // Nobody knows it, so nobody can sign in before the link is used.
  const passwordHash = await hashPassword(randomText(43));
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
    await recordAction(within, actor, { subject: email, details: { level } });
    return resetLink(context, await openResetKey(within, email, id));
  });
}

export function newResetLink(context: Joining, actor: Actor, account: AccountRow): Promise<string> {
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    await recordAction(within, actor, { subject: account.email });
    return resetLink(context, await openResetKey(within, account.email, account.id));
  });
}

/**
 * Approves or deletes an account that waits, and tells its owner. Returns false if it does not wait, or no longer: of
 * several decisions at once only one counts.
 */
export function decideOnAccount(
  context: Joining,
  actor: Actor,
  { id, email }: Named,
  decision: 'approve' | 'reject',
): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const now = context.clock.now();
    const ended = await tx
      .updateTable('accounts')
      .set({ asked_at: null })
      .where('id', '=', id)
      .where('verified_at', 'is', null)
      .where('asked_at', 'is not', null)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(ended.numUpdatedRows) === 0) return false;
    if (decision === 'reject') await closeRows(tx, id, now);
    else await tx.updateTable('accounts').set({ verified_at: now, needs_approval: 0 }).where('id', '=', id).execute();
    await recordAction(within, actor, { subject: email });
    await queueEmail(within, (decision === 'reject' ? rejectedEmail : approvedEmail)(context, email));
    return true;
  });
}

export function verifyByOperator(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { id, email }: Named,
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
    await tx.deleteFrom('email_codes').where('account_id', '=', id).execute();
    await recordAction({ db: tx, clock }, actor, { subject: email });
    return true;
  });
}

/**
 * Grants an account a plan without payment; `free` revokes it. The better of it and a paid one is the account's level.
 * Returns the new level, or null if there is no such open account. `alongside` runs in the same transaction.
 */
export function grantPlan(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  level: PlanLevel,
  alongside: (tx: Transaction, level: PlanLevel) => Promise<void> = async () => {},
): Promise<PlanLevel | null> {
  return db.transaction().execute(async (tx) => {
    const granted = await tx
      .updateTable('accounts')
      .set({ granted_level: level })
      .where('id', '=', accountId)
      .where('closed_at', 'is', null)
      .returning(['id', 'level', 'granted_level'])
      .executeTakeFirst();
    if (!granted) return null;
    const now = await setLevel(tx, granted);
    await alongside(tx, now);
    return now;
  });
}

/** `plan` means the limit of the plan again. */
export type LimitChanges = { readonly [Key in keyof OwnLimits]: OwnLimits[Key] | 'plan' };

export function setLimits(
  context: Context,
  actor: Actor,
  { id, email }: Named,
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
      subject: email,
      details: { limits, before: ownLimitsIn(before.own_limits) },
    });
    return planOf(context, { level: before.level, own_limits });
  });
}

export async function deleteAccount(
  context: Context,
  actor: Actor,
  account: AccountRow,
  because: string | null,
  signal: AbortSignal,
): Promise<void> {
  const { email, slots_used: files, space_used: bytes, level: plan } = account;
  await closeAccount(context, account, (tx) =>
    recordAction({ ...context, db: tx }, actor, { subject: email, details: { files, bytes, plan, because } }),
  );
  await emptyAccount(context, account.id, signal);
}
