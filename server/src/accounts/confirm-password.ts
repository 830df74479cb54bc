/**
 * Calls that can lock the owner out or destroy something need the password, entered in the same session a short time
 * ago: a browser that was left open is not enough.
 */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { minutes } from '../lib/clock.ts';
import { limitSignInsFrom, limitSignInsTo } from './auth-limits.ts';
import { isRightPassword } from './check-password.ts';
import type { Caller } from './identify.ts';
import { isKnownBrowser } from './known-browser.ts';
import { giveSessionCookie, renewSession } from './sessions.ts';

const confirmedFor = minutes(15);

/** @throws {Failure} PASSWORD_REQUIRED unless the password was entered in this session within the last 15 minutes. */
export function requireConfirmedPassword({ clock }: Pick<Context, 'clock'>, { confirmedAt }: Caller): void {
  if (clock.now() - confirmedAt >= confirmedFor) throw new Failure('PASSWORD_REQUIRED');
}

/**
 * Notes in the session that its user knows the password, and gives it a new token. Wrong passwords count like those at
 * sign-in.
 * @throws {Failure} TOO_MANY_ATTEMPTS, PASSWORD_WRONG, AUTH_REQUIRED.
 */
export async function confirmPassword(
  context: Context,
  { account, sessionId }: Caller,
  cookies: CookieJar,
  client: ClientFacts,
  password: string,
): Promise<void> {
  const forgiveAddress = await limitSignInsFrom(context, client);
  const forgiveAccount = await limitSignInsTo(context, account.email, {
    version: account.password_version,
    isKnown: isKnownBrowser(context, cookies, account),
  });
  const forgive = () => Promise.all([forgiveAddress(), forgiveAccount()]);
  if (!(await isRightPassword(password, account.password_hash, { gone: client.gone, forgive })))
    throw new Failure('PASSWORD_WRONG');
  await forgive();
  // A password changed during the check has ended this session, or is the one that was entered in it a moment ago.
  giveSessionCookie(cookies, await renewSession(context, sessionId));
}
