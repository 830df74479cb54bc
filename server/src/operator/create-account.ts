import { Failure } from '@holdfast/contract/src/errors.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { signUpEmail } from '@holdfast/contract/src/rules.ts';
import { hashPassword } from '../accounts/password.ts';
import { openResetKey } from '../accounts/reset-keys.ts';
import { storeAccount } from '../accounts/sign-up.ts';
import type { Context } from '../context.ts';
import { resetLink } from '../email/templates.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { randomText } from '../lib/random-text.ts';
import { type Actor, recordAction } from './record-action.ts';

type Parts = Pick<Context, 'db' | 'clock' | 'secret' | 'origins'>;

/**
 * Creates a verified account without a password. Returns the link by which its owner chooses one.
 * @throws {Failure} INVALID_INPUT, EMAIL_TAKEN.
 */
export async function createAccount(context: Parts, actor: Actor, email: string, level: PlanLevel): Promise<string> {
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

/** Returns a link by which the owner of an account chooses a new password. It replaces an earlier one. */
export function newResetLink(context: Parts, actor: Actor, account: AccountRow): Promise<string> {
  return context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    await recordAction(within, actor, { subject: account.email });
    return resetLink(context, await openResetKey(within, account.email, account.id));
  });
}
