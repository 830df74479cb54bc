import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { renewedKey } from './api-key.ts';
import { type LimitedClient, limitResetsFrom, mayEmailLink } from './auth-limits.ts';
import { hashNewPassword } from './check-password.ts';
import { refuseCommonPassword } from './guessable-passwords.ts';
import { announceWaiting, isWaiting, provedColumns } from './approval.ts';
import { accountByEmail } from './find-account.ts';
import { rememberBrowser } from './known-browser.ts';
import { passwordChangedEmail, resetEmail, resetLink } from '../email/templates.ts';
import { accountOfResetKey, closeResetKeys, openResetKey, takeResetKey } from './reset-keys.ts';
import { endSessionsOf } from './sessions.ts';

/**
 * Sends a reset link. An address without an account gets the same response in the same time: the same work is done for
 * an email that is never sent, and the route responds after 50 ms at the earliest. An account that still waits for its
 * code also gets a link: the link proves the address just as the code does, and the user gets the expected email.
 * @throws {Failure} CAPTCHA_FAILED, TOO_MANY_ATTEMPTS.
 */
export async function requestPasswordReset(
  context: Context,
  client: LimitedClient,
  form: { email: string; captcha_token?: string | undefined },
): Promise<void> {
  // The captcha comes first, so that a caller who has not solved it cannot use up another user's reset emails.
  if (!(await context.captcha.check(form.captcha_token, 'request_password_reset'))) throw new Failure('CAPTCHA_FAILED');
  await limitResetsFrom(context, client);
  const asked = await accountByEmail(context, form.email);
  if (!(await mayEmailLink(context, form.email, asked?.verified_at === null))) return;
  await context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const account = await accountByEmail(within, form.email);
    const key = await openResetKey(within, form.email, account?.id ?? null);
    const email = resetEmail(context, account?.email ?? form.email, resetLink(context, key));
    await queueEmail(within, account ? email : { ...email, validFor: outOfDate });
  });
}

/** The email worker drops such an email instead of sending it. */
const outOfDate = -1;

/**
 * Sets a new password and a new API key for the account of a reset key, so that earlier access of others ends. Reading
 * the email proves ownership of the address, so an unverified account becomes verified. Every browser has to sign in
 * again, and only this one is known.
 * @throws {Failure} RESET_KEY_INVALID, INVALID_INPUT.
 * @throws {QueueFull} when too many passwords wait to be checked.
 */
export async function resetPassword(
  context: Context,
  cookies: CookieJar,
  client: Pick<ClientFacts, 'logAccount' | 'gone'>,
  form: { reset_key: string; password: string },
): Promise<void> {
  const account = await accountOfResetKey(context, form.reset_key);
  if (!account) throw new Failure('RESET_KEY_INVALID');
  client.logAccount(account.id);
  refuseCommonPassword(context, form.password, account.email);
  const passwordHash = await hashNewPassword(form.password, client.gone);
  const reset = await context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const now = context.clock.now();
    // Lock the account's row first, as in every transaction. Without a valid key, all of this is rolled back.
    const changed = await tx
      .updateTable('accounts')
      .set((eb) => ({
        ...renewedKey(context, account.id).columns,
        password_hash: passwordHash,
        password_version: eb('password_version', '+', 1),
        ...provedColumns(eb, now),
      }))
      .where('id', '=', account.id)
      .where('closed_at', 'is', null)
      .returning(['id', 'email', 'password_version', 'verified_at', 'asked_at'])
      .executeTakeFirst();
    if (!changed || !(await takeResetKey(within, account.id, form.reset_key))) throw new Failure('RESET_KEY_INVALID');
    await closeResetKeys(tx, account.id);
    await tx.deleteFrom('email_codes').where('account_id', '=', account.id).execute();
    await endSessionsOf(within, account.id);
    if (isWaiting(changed) && !isWaiting(account)) await announceWaiting(within, changed);
    await queueEmail(within, passwordChangedEmail(context, account.email, { keyChanged: true }));
    return changed;
  });
  rememberBrowser(context, cookies, reset);
}
