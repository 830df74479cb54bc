import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { type LimitedClient, limitPasswordChange } from './auth-limits.ts';
import { refuseCommonPassword } from './guessable-passwords.ts';
import type { Caller } from './identify.ts';
import { passwordChangedEmail } from '../email/templates.ts';
import { hashPassword, isPassword } from './password.ts';
import { closeResetKeys } from './reset-keys.ts';
import { endSessionsOf } from './sessions.ts';

/**
 * Replaces the password, ends the other sessions and invalidates a pending reset link.
 * @throws {Failure} TOO_MANY_ATTEMPTS, CAPTCHA_FAILED, INVALID_INPUT, OLD_PASSWORD_WRONG.
 */
export async function changePassword(
  context: Context,
  { account, sessionId }: Caller,
  client: LimitedClient,
  form: { old_password: string; new_password: string; captcha_token?: string | undefined },
): Promise<void> {
  if (!(await context.captcha.check(form.captcha_token, 'change_password'))) throw new Failure('CAPTCHA_FAILED');
  refuseCommonPassword(form.new_password, account.email);
  const forgive = await limitPasswordChange(context, client, account.id);
  if (!(await isPassword(form.old_password, account.password_hash))) throw new Failure('OLD_PASSWORD_WRONG');
  await forgive();
  const passwordHash = await hashPassword(form.new_password);
  await context.db.transaction().execute(async (tx) => {
    // Of several simultaneous changes, only one still finds the old password.
    const changed = await tx
      .updateTable('accounts')
      .set({ password_hash: passwordHash, changed_at: context.clock.now() })
      .where('id', '=', account.id)
      .where('password_hash', '=', account.password_hash)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(changed.numUpdatedRows) !== 1) throw new Failure('OLD_PASSWORD_WRONG');
    await closeResetKeys(tx, account.id);
    await endSessionsOf({ db: tx }, account.id, sessionId);
    await queueEmail({ ...context, db: tx }, passwordChangedEmail(context, account.email));
  });
}
