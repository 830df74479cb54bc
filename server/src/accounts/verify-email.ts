import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { randomText } from '../lib/random-text.ts';
import { newRowId } from '../lib/row-id.ts';
import { judgeCode, resendCodeTo } from './email-code.ts';
import { unverifiedAccount } from './find-account.ts';
import { clearPending, readPending, setPending } from './pending-cookie.ts';

/**
 * Confirms an address by the code that was sent to it. The account comes from the pending cookie, or from `email`
 * for clients without cookies, and never from the code.
 * @throws {Failure} CODE_INVALID, CODE_EXPIRED, TOO_MANY_ATTEMPTS.
 */
export async function verifyEmail(
  context: Context,
  cookies: CookieJar,
  guess: { code: string; email?: string | undefined },
): Promise<{ message: string }> {
  const pending = readPending(context, cookies);
  const named = !pending && guess.email !== undefined ? await unverifiedAccount(context, guess.email) : undefined;
  const accountId = pending?.accountId ?? named?.id;
  if (accountId === undefined) throw new Failure('CODE_INVALID');
  const verdict = await judgeCode(context, accountId, pending?.attempt ?? null, guess.code);
  if (verdict === 'wrong') throw new Failure('CODE_INVALID');
  if (verdict === 'expired') throw new Failure('CODE_EXPIRED');
  if (verdict === 'too-many') throw new Failure('TOO_MANY_ATTEMPTS', 'Too many wrong codes. Request a new one.');
  clearPending(cookies);
  return { message: 'Code verified' };
}

/** Sends the code again. An address without a waiting account gets the same answer and no mail. */
export async function resendCode(context: Context, cookies: CookieJar, email: string): Promise<{ message: string }> {
  const account = await unverifiedAccount(context, email);
  setPending(context, cookies, account ? await resendCodeTo(context, account) : nobody(context));
  return { message: 'Verification code re-sent.' };
}

/** A cookie that looks like any other and confirms nothing. */
const nobody = ({ clock }: Context) => ({ accountId: newRowId(clock.now()), attempt: randomText(16) });
