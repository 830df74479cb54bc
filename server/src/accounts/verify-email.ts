import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { randomText } from '../lib/random-text.ts';
import { newRowId } from '../lib/row-id.ts';
import { type Forgive, limitResendsFrom, limitResendsTo, limitVerify } from './auth-limits.ts';
import { judgeCode, resendCodeTo } from './email-code.ts';
import { unverifiedAccount } from './find-account.ts';
import { clearPending, type Pending, readPending, setPending } from './pending-cookie.ts';

/**
 * Confirms an address by the code that was sent to it. The account comes from the pending cookie, or from `email`
 * for clients without cookies, and never from the code.
 * @throws {Failure} CODE_INVALID, CODE_EXPIRED, TOO_MANY_ATTEMPTS.
 */
export async function verifyEmail(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  guess: { code: string; email?: string | undefined },
): Promise<{ message: string }> {
  const pending = readPending(context, cookies);
  const forgive = await limitVerify(context, client, pending ? undefined : guess.email);
  const named = !pending && guess.email !== undefined ? await unverifiedAccount(context, guess.email) : undefined;
  const accountId = pending?.accountId ?? named?.id;
  if (accountId === undefined) throw new Failure('CODE_INVALID');
  const verdict = await judgeCode(context, accountId, pending?.attempt ?? null, guess.code);
  // Who shows no cookie of a sign-up does not hear whether there was one.
  if (verdict === 'wrong' || (verdict !== 'verified' && !pending)) throw new Failure('CODE_INVALID');
  // The cookie of an address without an account must not be told from that of one that waits.
  if (verdict === 'expired' && !(await isAccount(context, accountId))) throw new Failure('CODE_INVALID');
  if (verdict === 'expired') throw new Failure('CODE_EXPIRED');
  if (verdict === 'too-many') throw new Failure('TOO_MANY_ATTEMPTS', 'Too many wrong codes. Request a new one.');
  await forgive();
  clearPending(cookies);
  return { message: 'Code verified' };
}

async function isAccount({ db }: Context, id: string): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Sends the code again. An address without a waiting account gets the same answer and no mail. */
export async function resendCode(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  email: string,
): Promise<{ message: string }> {
  await limitResendsFrom(context, client);
  const forgive = await limitResendsTo(context, email);
  const account = await unverifiedAccount(context, email);
  if (account) await refuseOlderSignUp(context, cookies, account);
  setPending(context, cookies, account ? await resendTo(context, cookies, account, forgive) : nobody(context));
  return { message: 'Verification code re-sent.' };
}

/**
 * A browser that signed up before somebody else did with the same address must not be handed the later sign-up: its
 * code would confirm that one's password. Only who holds such a cookie hears of it.
 */
async function refuseOlderSignUp(context: Context, cookies: CookieJar, account: AccountRow): Promise<void> {
  const asked = readPending(context, cookies);
  if (asked?.accountId !== account.id) return;
  const current = await pendingOf(context, account.id);
  if (current && current.attempt !== asked.attempt)
    throw new Failure('CODE_EXPIRED', 'This address was signed up again since. Sign up again to set your password.');
}

/** That a code is under way, and how long to wait, is said only to the browser that signed up. */
async function resendTo(context: Context, cookies: CookieJar, account: AccountRow, forgive: Forgive): Promise<Pending> {
  try {
    return await resendCodeTo(context, account);
  } catch (error) {
    const current = await pendingOf(context, account.id);
    const asked = readPending(context, cookies);
    const theirs = asked?.accountId === current?.accountId && asked?.attempt === current?.attempt;
    if (!current || theirs || !(error instanceof Failure && error.code === 'TOO_MANY_ATTEMPTS')) {
      await forgive();
      throw error;
    }
    return current;
  }
}

async function pendingOf({ db }: Context, accountId: string): Promise<Pending | undefined> {
  const row = await db
    .selectFrom('email_codes')
    .select('attempt')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row && { accountId, attempt: row.attempt };
}

/** A cookie that looks like any other and confirms nothing. */
const nobody = ({ clock }: Context) => ({ accountId: newRowId(clock.now()), attempt: randomText(16) });
