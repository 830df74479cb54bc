import { Failure } from '@holdfast/contract/src/errors.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { renewedKey } from './api-key.ts';
import { spend, take } from '../http/rate-limits.ts';
import { announceWaiting, isWaiting, provedColumns } from './email-code.ts';
import { accountByEmail } from './find-account.ts';
import { hashPassword, refuseCommonPassword } from './passwords.ts';
import { rememberBrowser } from './sealed-cookies.ts';
import { passwordChangedEmail, resetEmail, resetLink } from '../email/templates.ts';
import { accountOfResetKey, closeResetKeys, openResetKey, resetKeyValidFor, takeResetKey } from './reset-keys.ts';
import { endSessionsOf } from './sessions.ts';

/** Longer than the work takes on a machine that is not overloaded. */
const minimumResponseMs = 50;

/**
 * For an address without an account, the same work is done for an email that is never sent.
 * @throws {Failure} CAPTCHA_FAILED, TOO_MANY_ATTEMPTS.
 */
export async function requestPasswordReset(
  context: Context,
  { address }: Pick<ClientFacts, 'address'>,
  form: { email: string; captcha_token?: string | undefined },
): Promise<void> {
  const enough = wait(minimumResponseMs);
  try {
    if (!(await context.captcha.check(form.captcha_token, 'request_password_reset')))
      throw new Failure('CAPTCHA_FAILED');
    await spend(context, 'resets', address);
    await sendLink(context, form.email);
  } finally {
    await enough;
  }
}

async function sendLink(context: Context, asked: string): Promise<void> {
  const isWaitingForCode = (await accountByEmail(context, asked))?.verified_at === null;
  const inDay = isWaitingForCode ? 'resets before verification' : 'resets by mailbox in a day';
  const taken = [await take(context, 'resets by mailbox', asked), await take(context, inDay, asked)];
  if (!taken.every(({ allowed }) => allowed)) return;
  await context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const account = await accountByEmail(within, asked);
    const key = await openResetKey(within, asked, account?.id ?? null);
    const email = resetEmail(context, account?.email ?? asked, resetLink(context, key), resetKeyValidFor);
    await queueEmail(within, account ? email : { ...email, validFor: outOfDate });
  });
}

/** The email worker drops such an email instead of sending it. */
const outOfDate = -1;

/**
 * Ends earlier access of others. The link proves an address that waits for its code, too.
 * @throws {Failure} RESET_KEY_INVALID, INVALID_INPUT.
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
  const passwordHash = await hashPassword(form.password, context.passwordCost, client);
  const reset = await context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    const now = context.clock.now();
    // Lock the account's row first, as everywhere.
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
