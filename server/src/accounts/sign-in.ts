import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { queueEmail } from '../email/queue-email.ts';
import { newBrowserEmail } from '../email/templates.ts';
import { isWaiting } from './approval.ts';
import { announceNewBrowser, limitSignInsFrom, limitSignInsTo } from './auth-limits.ts';
import { isRightPassword } from './check-password.ts';
import { deviceName } from './device-name.ts';
import { maxGuesses, sendNewCode } from './email-code.ts';
import { accountByEmail } from './find-account.ts';
import { isKnownBrowser, rememberBrowser } from './known-browser.ts';
import { type Attempt, setPending } from './pending-cookie.ts';
import { giveSessionCookie, replaceSession, startSession } from './sessions.ts';

/**
 * Checks the password and starts a session. Only a caller with the right password learns that the email address is not
 * verified.
 * @throws {Failure} CAPTCHA_FAILED, INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, TOO_MANY_ATTEMPTS.
 * @throws {QueueFull} when too many passwords wait to be checked.
 */
export async function signIn(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  form: { email: string; password: string; captcha_token?: string | undefined },
): Promise<void> {
  const forgiveAddress = await limitSignInsFrom(context, client);
  if (!(await context.captcha.check(form.captcha_token, 'login'))) throw new Failure('CAPTCHA_FAILED');
  const account = await accountByEmail(context, form.email);
  if (account) client.logAccount(account.id);
  const isKnown = account !== undefined && isKnownBrowser(context, cookies, account);
  const forgiveEmail = await limitSignInsTo(context, form.email, { version: account?.password_version ?? 0, isKnown });
  const forgive = () => Promise.all([forgiveAddress(), forgiveEmail()]);
  const right = await isRightPassword(form.password, account?.password_hash, { gone: client.gone, forgive });
  if (!account || !right) throw new Failure('INVALID_CREDENTIALS');
  await forgive();
  if (isWaiting(account)) throw new Failure('ACCOUNT_WAITING');
  if (account.verified_at === null) {
    setPending(context, cookies, await pendingAttempt(context, account));
    throw new Failure('EMAIL_NOT_VERIFIED');
  }
  // The new session replaces the browser's previous one.
  await replaceSession(context, cookies);
  giveSessionCookie(cookies, await openSession(context, account, client, isKnown));
  rememberBrowser(context, cookies, account);
}

/** A sign-in from a browser that is not known is announced to the owner, except the first one after the sign-up. */
async function openSession(
  context: Context,
  account: AccountRow,
  client: ClientFacts,
  isKnown: boolean,
): Promise<string> {
  const at = context.clock.now();
  const open = (isTold: boolean) =>
    whileItHolds(context, account, async (tx) => {
      const within = { ...context, db: tx };
      await tx.updateTable('accounts').set({ signed_in_at: at }).where('id', '=', account.id).execute();
      if (isTold)
        await queueEmail(within, newBrowserEmail(context, account.email, { device: deviceName(client.agent), at }));
      return startSession(within, account.id, client);
    });
  const isNew = !isKnown && account.signed_in_at !== null;
  return isNew ? announceNewBrowser(context, account.email, open) : open(false);
}

/**
 * The password may have changed during the check, by its owner or by another sign-up with the same address. A change
 * revokes access granted by the old password, so the password must still be current here.
 */
function whileItHolds<Value>(
  { db, clock }: Context,
  account: AccountRow,
  work: (tx: Transaction) => Promise<Value>,
): Promise<Value> {
  return db.transaction().execute(async (tx) => {
    const held = await tx
      .updateTable('accounts')
      .set({ last_active_at: clock.now() })
      .where('id', '=', account.id)
      .where('password_hash', '=', account.password_hash)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(held.numUpdatedRows) !== 1) throw new Failure('INVALID_CREDENTIALS');
    return work(tx);
  });
}

/**
 * A returning user gets a valid code: the current one if it still works, otherwise a new one. When the daily codes are
 * used up, the code page is still the right place: it says when another code will be available.
 */
async function pendingAttempt(context: Context, account: AccountRow): Promise<Attempt> {
  return whileItHolds(context, account, async (tx) => {
    const current = await tx
      .selectFrom('email_codes')
      .select(['attempt', 'expires_at', 'guesses'])
      .where('account_id', '=', account.id)
      .executeTakeFirst();
    const attempt = current && { accountId: account.id, attempt: current.attempt };
    if (attempt && current.expires_at > context.clock.now() && current.guesses < maxGuesses) return attempt;
    try {
      return await sendNewCode({ ...context, db: tx }, account, 'resend');
    } catch (error) {
      if (attempt && error instanceof Failure && error.code === 'TOO_MANY_ATTEMPTS') return attempt;
      throw error;
    }
  });
}
