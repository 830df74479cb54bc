import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { maxGuesses, resendCodeTo } from './email-code.ts';
import { accountByEmail } from './find-account.ts';
import { isPassword } from './password.ts';
import { type Pending, setPending } from './pending-cookie.ts';
import { endSession, startSession } from './sessions.ts';

/**
 * Checks the password and starts a session. That the address is not verified is said only to who knows the password.
 * @throws {Failure} CAPTCHA_FAILED, INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED.
 */
export async function signIn(
  context: Context,
  cookies: CookieJar,
  form: { email: string; password: string; captcha_token?: string | undefined },
): Promise<void> {
  if (!(await context.captcha.check(form.captcha_token, 'login'))) throw new Failure('CAPTCHA_FAILED');
  const account = await accountByEmail(context, form.email);
  const right = await isPassword(form.password, account?.password_hash);
  if (!account || !right) throw new Failure('INVALID_CREDENTIALS');
  if (account.verified_at === null) {
    setPending(context, cookies, await currentOrNewCode(context, account));
    throw new Failure('EMAIL_NOT_VERIFIED');
  }
  // A session that this browser had before must not live on beside the new one.
  await endSession(context, cookies);
  await startSession(context, account.id, cookies);
  await context.db
    .updateTable('accounts')
    .set({ last_active_at: context.clock.now() })
    .where('id', '=', account.id)
    .execute();
}

/**
 * Someone who comes back later needs a code that still works; someone who comes back at once has one. When today's
 * codes are used up, the page that asks for the code is still where they belong: it says when there will be another.
 */
async function currentOrNewCode(context: Context, account: { id: string; email: string }): Promise<Pending> {
  const current = await context.db
    .selectFrom('email_codes')
    .select(['attempt', 'expires_at', 'guesses'])
    .where('account_id', '=', account.id)
    .executeTakeFirst();
  const pending = current && { accountId: account.id, attempt: current.attempt };
  if (pending && current.expires_at > context.clock.now() && current.guesses < maxGuesses) return pending;
  try {
    return await resendCodeTo(context, account);
  } catch (error) {
    if (pending && error instanceof Failure && error.code === 'TOO_MANY_ATTEMPTS') return pending;
    throw error;
  }
}
