import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { minutes } from '../lib/clock.ts';
import { spend } from '../http/rate-limits.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { Caller } from './identify.ts';
import { changeAs } from './lock-caller.ts';
import { isRightPassword } from './passwords.ts';
import { isKnownBrowser } from './sealed-cookies.ts';
import { giveSessionCookie, renewSession } from './sessions.ts';
import { spendGuess } from './sign-in.ts';

const confirmedFor = minutes(15);

/**
 * For calls that can lock the owner out or destroy something: a browser that was left open is not enough.
 * @throws {Failure} PASSWORD_REQUIRED unless the password was entered in this session within the last 15 minutes.
 */
export function requireConfirmedPassword({ clock }: Pick<Context, 'clock'>, { confirmedAt }: Caller): void {
  if (clock.now() - confirmedAt >= confirmedFor) throw new Failure('PASSWORD_REQUIRED');
}

/**
 * Wrong passwords count like those at sign-in.
 * @throws {Failure} TOO_MANY_ATTEMPTS, PASSWORD_WRONG, AUTH_REQUIRED.
 */
export async function confirmPassword(
  context: Context,
  caller: Caller,
  cookies: CookieJar,
  client: ClientFacts,
  password: string,
): Promise<void> {
  const { account } = caller;
  const forgiveAddress = await spend(context, 'sign-ins', client.address);
  const isKnown = isKnownBrowser(context, cookies, account);
  const forgiveAccount = await spendGuess(context, account.email, account.password_version, isKnown);
  const forgive = () => Promise.all([forgiveAddress(), forgiveAccount()]);
  if (
    !(await isRightPassword(password, account.password_hash, {
      cost: context.passwordCost,
      gone: client.gone,
      forgive,
    }))
  )
    throw new Failure('PASSWORD_WRONG');
  const renew = (tx: Transaction) => renewSession({ ...context, db: tx }, caller.sessionId, client.address);
  giveSessionCookie(cookies, await changeAs(context, caller, renew));
}
