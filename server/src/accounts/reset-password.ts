import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { type Client, limitReset } from './auth-limits.ts';
import { refuseCommonPassword } from './guessable-passwords.ts';
import { accountByEmail } from './find-account.ts';
import { passwordChangedLetter, resetLetter, resetLink } from './letters.ts';
import { hashPassword } from './password.ts';
import { accountOfResetKey, closeResetKeys, openResetKey, takeResetKey } from './reset-keys.ts';
import { endSessionsOf } from './sessions.ts';

/**
 * Sends a reset link, and answers the same in the same time for an address without an account: there all the same work
 * is done for a letter that never leaves. An account that still waits for its code gets a link as well: it proves the
 * address just as the code does, and nobody waits in vain.
 * @throws {Failure} CAPTCHA_FAILED, TOO_MANY_ATTEMPTS.
 */
export async function requestPasswordReset(
  context: Context,
  client: Client,
  form: { email: string; captcha_token?: string | undefined },
): Promise<void> {
  // First: whoever has not solved it cannot use up the letters that somebody else may get.
  if (!(await context.captcha.check(form.captcha_token, 'request_password_reset'))) throw new Failure('CAPTCHA_FAILED');
  if (!(await limitReset(context, client, form.email))) return;
  await context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const account = await accountByEmail(within, form.email);
    const key = await openResetKey(within, form.email, account?.id ?? null);
    const letter = resetLetter(context, account?.email ?? form.email, resetLink(context, key));
    await queueLetter(within, account ? letter : { ...letter, validFor: outOfDate });
  });
}

/** The post drops such a letter instead of sending it. */
const outOfDate = -1;

/**
 * Gives the account of a reset key a new password. Whoever could read the letter owns the address, so an account that
 * waited for its code waits no more; and every browser has to sign in again.
 * @throws {Failure} RESET_KEY_INVALID, INVALID_INPUT.
 */
export async function resetPassword(context: Context, form: { reset_key: string; password: string }): Promise<void> {
  const account = await accountOfResetKey(context, form.reset_key);
  if (!account) throw new Failure('RESET_KEY_INVALID');
  refuseCommonPassword(form.password, account.email);
  const passwordHash = await hashPassword(form.password);
  await context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const now = context.clock.now();
    // The account's row comes first, as in every transaction; without the key all of this is rolled back.
    await tx
      .updateTable('accounts')
      .set((eb) => ({
        password_hash: passwordHash,
        verified_at: eb.fn.coalesce('verified_at', eb.val(now)),
        changed_at: now,
      }))
      .where('id', '=', account.id)
      .where('closed_at', 'is', null)
      .execute();
    if (!(await takeResetKey(within, account.id, form.reset_key))) throw new Failure('RESET_KEY_INVALID');
    await closeResetKeys(tx, account.id);
    await tx.deleteFrom('email_codes').where('account_id', '=', account.id).execute();
    await endSessionsOf(within, account.id);
    await queueLetter(within, passwordChangedLetter(context, account.email));
  });
}
