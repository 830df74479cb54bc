/**
 * A browser that has signed in to an account with its current password is known to it: it shares a limit of wrong
 * passwords with the account's other known browsers, so guesses from elsewhere cannot lock the owner out, and its
 * sign-ins send no email. The cookie alone does not sign in. A password change or reset makes every earlier cookie void.
 */
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import type { CookieJar } from '../http/cookies.ts';
import { days } from '../lib/clock.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';

const cookieName = 'known';
const validFor = days(180);
/** People who share a browser are all known in it. */
const mostAccounts = 5;
/** Occurs in no sealed text. */
const separator = '.';

type Known = Pick<AccountRow, 'id' | 'password_version'>;

export function rememberBrowser(
  context: Pick<Context, 'secret'>,
  cookies: CookieJar,
  { id, password_version }: Known,
): void {
  const others = sealedIn(cookies).filter((sealed) => versionIn(context, id, sealed) === undefined);
  const own = seal(keyFrom(context), id, String(password_version));
  cookies.set(cookieName, [own, ...others].slice(0, mostAccounts).join(separator), validFor);
}

export function isKnownBrowser(
  context: Pick<Context, 'secret'>,
  cookies: CookieJar,
  { id, password_version }: Known,
): boolean {
  return sealedIn(cookies).some((sealed) => versionIn(context, id, sealed) === String(password_version));
}

const sealedIn = (cookies: CookieJar) =>
  (cookies.read(cookieName) ?? '')
    .split(separator)
    .filter((sealed) => sealed !== '')
    .slice(0, mostAccounts);

function versionIn(context: Pick<Context, 'secret'>, accountId: string, sealed: string): string | undefined {
  try {
    return openSealed(keyFrom(context), accountId, sealed);
  } catch {
    // Forged, or for another account.
    return undefined;
  }
}

const keyFrom = ({ secret }: Pick<Context, 'secret'>) => deriveKey(secret, 'known browser');
