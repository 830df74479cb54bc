import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { queueEmail } from '../email/queue-email.ts';
import { newBrowserEmail } from '../email/templates.ts';
import { spend, take } from '../http/rate-limits.ts';
import { deviceName } from './device-name.ts';
import { isWaiting, maxGuesses, sendNewCode } from './email-code.ts';
import { accountByEmail, emailKey } from './find-account.ts';
import { isRightPassword } from './passwords.ts';
import { type Attempt, isKnownBrowser, rememberBrowser, setPending } from './sealed-cookies.ts';
import { giveSessionCookie, replaceSession, startSession } from './sessions.ts';

/**
 * Only a caller with the right password learns that the email address is not verified.
 * @throws {Failure} CAPTCHA_FAILED, INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, TOO_MANY_ATTEMPTS.
 */
export async function signIn(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  form: { email: string; password: string; captcha_token?: string | undefined },
): Promise<void> {
  const forgiveAddress = await spend(context, 'sign-ins', client.address);
  if (!(await context.captcha.check(form.captcha_token, 'login'))) throw new Failure('CAPTCHA_FAILED');
  const account = await accountByEmail(context, form.email);
  if (account) client.logAccount(account.id);
  const isKnown = account !== undefined && isKnownBrowser(context, cookies, account);
  const forgiveEmail = await spendGuess(context, form.email, account?.password_version ?? 0, isKnown);
  const forgive = () => Promise.all([forgiveAddress(), forgiveEmail()]);
  const right = await isRightPassword(form.password, account?.password_hash, {
    cost: context.passwordCost,
    gone: client.gone,
    forgive,
  });
  if (!account || !right) throw new Failure('INVALID_CREDENTIALS');
  if (isWaiting(account)) throw new Failure('ACCOUNT_WAITING');
  if (account.verified_at === null) {
    setPending(context, cookies, await pendingAttempt(context, account));
    throw new Failure('EMAIL_NOT_VERIFIED');
  }
  await replaceSession(context, cookies);
  giveSessionCookie(cookies, await openSession(context, account, client, isKnown));
  rememberBrowser(context, cookies, account);
}

/** The known browsers of an account share a limit, apart from that of all others. */
export function spendGuess(context: Context, email: string, version: number, isKnown: boolean) {
  const limit = isKnown ? 'sign-ins by known browsers' : 'sign-ins by email';
  return spend(context, limit, `${emailKey(email)} ${version}`);
}

async function openSession(
  context: Context,
  account: AccountRow,
  client: ClientFacts,
  isKnown: boolean,
): Promise<string> {
  const at = context.clock.now();
  const isNew = !isKnown && account.signed_in_at !== null;
  const isTold = isNew && (await take(context, 'new browser emails', account.email)).allowed;
  return whileItHolds(context, account, async (tx) => {
    const within = { ...context, db: tx };
    await tx.updateTable('accounts').set({ signed_in_at: at }).where('id', '=', account.id).execute();
    if (isTold)
      await queueEmail(
        within,
        newBrowserEmail(context, account.email, { device: deviceName(client.agent), at, timeZone: account.timezone }),
      );
    return startSession(within, account.id, client);
  });
}

/** The password may have changed during the check, which revokes access granted by the old one. */
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

/** The current code, or a new one if it no longer works. */
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
