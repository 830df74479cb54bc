import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { randomText } from '../lib/random-text.ts';
import { newRowId } from '../lib/row-id.ts';
import { type Forgive, limitResendsFrom, limitResendsTo, limitVerify } from './auth-limits.ts';
import { checkCode, resendCodeTo } from './email-code.ts';
import { unverifiedAccount } from './find-account.ts';
import { type Attempt, clearPending, type Pending, readPending, setPending } from './pending-cookie.ts';

/**
 * Verifies an email address by the code sent to it. The account comes from the pending cookie, or from `email` for
 * clients without cookies, and never from the code. The route responds after 50 ms at the earliest
 * (`minimum-response-time.ts`), so that the time does not reveal whether there is an account.
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
  client.concerns(accountId);
  const verdict = await checkCode(context, accountId, {
    code: guess.code,
    attempt: pending?.attempt ?? null,
    knowsPassword: pending?.by === 'password',
  });
  const isRight = verdict === 'verified' || verdict === 'waiting';
  // Only a browser that knows the sign-up's password learns more than that the code is wrong.
  if (verdict === 'wrong' || (!isRight && pending?.by !== 'password')) throw new Failure('CODE_INVALID');
  if (verdict === 'expired') throw new Failure('CODE_EXPIRED');
  if (verdict === 'too-many') throw new Failure('TOO_MANY_ATTEMPTS', 'Too many wrong codes. Request a new one.');
  await forgive();
  clearPending(cookies);
  return { message: verdict === 'waiting' ? waitingMessage : 'Code verified' };
}

const waitingMessage = 'Your address is confirmed. You can sign in as soon as the operator has approved your account.';

/** Sends a new code. An address without an account waiting for verification gets the same response and no email. */
export async function resendCode(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  email: string,
): Promise<{ message: string }> {
  await limitResendsFrom(context, client);
  const forgive = await limitResendsTo(context, email);
  const account = await unverifiedAccount(context, email);
  const asked = readPending(context, cookies);
  setPending(context, cookies, account ? await resendTo(context, account, asked, forgive) : nobody(context));
  return { message: 'Verification code re-sent.' };
}

/** Only a browser that knows the password learns that a code is pending and how long to wait. */
async function resendTo(
  context: Context,
  account: AccountRow,
  asked: Pending | null,
  forgive: Forgive,
): Promise<Pending> {
  const current = await attemptAt(context, account.id);
  const sameAccount = asked?.accountId === account.id;
  const theirs = sameAccount && asked.attempt === current?.attempt;
  // Another sign-up with the same address may have followed this browser's sign-up. The browser must not be switched to
  // the later one: the code would confirm the other sign-up's password.
  if (sameAccount && asked.by === 'password' && current && !theirs)
    throw new Failure('CODE_EXPIRED', 'This address was signed up again since. Sign up again to set your password.');
  const by = theirs ? asked.by : 'address';
  try {
    return { ...(await resendCodeTo(context, account)), by };
  } catch (error) {
    const tooSoon = error instanceof Failure && error.code === 'TOO_MANY_ATTEMPTS';
    if (tooSoon && current && by === 'address') return { ...current, by };
    await forgive();
    throw error;
  }
}

async function attemptAt({ db }: Context, accountId: string): Promise<Attempt | undefined> {
  const row = await db
    .selectFrom('email_codes')
    .select('attempt')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row && { accountId, attempt: row.attempt };
}

/** A cookie that looks like any other but verifies nothing. */
const nobody = ({ clock }: Context): Pending => ({
  accountId: newRowId(clock.now()),
  attempt: randomText(16),
  by: 'address',
});
