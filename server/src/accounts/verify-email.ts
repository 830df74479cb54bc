import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { spend } from '../http/rate-limits.ts';
import { attemptOf, checkCode, resendCodeTo } from './email-code.ts';
import { unverifiedAccount } from './find-account.ts';
import { clearPending, readPending, setPending } from './sealed-cookies.ts';

/**
 * The account comes from the pending cookie, never from the code.
 * @throws {Failure} CODE_INVALID, CODE_EXPIRED, TOO_MANY_ATTEMPTS.
 */
export async function verifyEmail(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  code: string,
): Promise<{ message: string }> {
  const forgive = await spend(context, 'codes', client.address);
  const pending = readPending(context, cookies);
  if (!pending) throw startAgain();
  client.logAccount(pending.accountId);
  const verdict = await checkCode(context, pending, code);
  if (verdict === 'wrong') throw new Failure('CODE_INVALID');
  if (verdict === 'expired') throw new Failure('CODE_EXPIRED');
  if (verdict === 'too-many') throw new Failure('TOO_MANY_ATTEMPTS', 'Too many wrong codes. Request a new one.');
  await forgive();
  clearPending(cookies);
  return { message: verdict === 'waiting' ? waitingMessage : 'Code verified' };
}

const waitingMessage = 'Your address is confirmed. You can sign in as soon as the operator has approved your account.';

const startAgain = () => new Failure('CODE_INVALID', 'This browser waits for no code. Start from sign-in.');

export async function resendCode(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  email: string,
): Promise<{ message: string }> {
  await spend(context, 'resends', client.address);
  const pending = readPending(context, cookies);
  const account = pending ? await unverifiedAccount(context, email) : undefined;
  if (!pending || account?.id !== pending.accountId) throw startAgain();
  const current = await attemptOf(context, account.id);
  // The code would confirm the password of the other sign-up.
  if (current !== undefined && current.attempt !== pending.attempt)
    throw new Failure('CODE_EXPIRED', 'This address was signed up again since. Sign up again to set your password.');
  const forgive = [
    await spend(context, 'resends by mailbox', email),
    await spend(context, 'resends by mailbox in a day', email),
  ];
  try {
    setPending(context, cookies, await resendCodeTo(context, account));
  } catch (error) {
    await Promise.all(forgive.map((giveBack) => giveBack()));
    throw error;
  }
  return { message: 'Verification code re-sent.' };
}
