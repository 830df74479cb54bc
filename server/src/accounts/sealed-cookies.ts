import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { days, hours } from '../lib/clock.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';
import type { AccountRow } from '../storage/db/schema.ts';

/** The sign-up that this browser is about to confirm. */
export interface Attempt {
  readonly accountId: string;
  readonly attempt: string;
}

const pending = 'pending';
export const pendingFor = hours(24);

/** It is sealed, because an account's id reveals when it was created. */
export function setPending({ secret }: Context, cookies: CookieJar, { accountId, attempt }: Attempt): void {
  const sealed = seal(deriveKey(secret, 'pending verification'), pending, `${accountId}.${attempt}`);
  cookies.set(pending, sealed, pendingFor);
}

export function readPending({ secret }: Context, cookies: CookieJar): Attempt | null {
  const opened = open(deriveKey(secret, 'pending verification'), pending, cookies.read(pending) ?? '');
  const [accountId, attempt] = (opened ?? '').split('.');
  return accountId && attempt ? { accountId, attempt } : null;
}

export const clearPending = (cookies: CookieJar): void => cookies.clear(pending);

const known = 'known';
/** People who share a browser are all known in it. */
const mostAccounts = 5;
/** Occurs in no sealed text. */
const separator = '.';

type Known = Pick<AccountRow, 'id' | 'password_version'>;

/** Guesses from elsewhere cannot lock the owner of a known browser out, and its sign-ins send no email. */
export function rememberBrowser(
  { secret }: Pick<Context, 'secret'>,
  cookies: CookieJar,
  { id, password_version }: Known,
): void {
  const key = deriveKey(secret, 'known browser');
  const others = sealedIn(cookies).filter((sealed) => open(key, id, sealed) === undefined);
  const own = seal(key, id, String(password_version));
  cookies.set(known, [own, ...others].slice(0, mostAccounts).join(separator), days(180));
}

/** A password change or reset makes every earlier cookie void. */
export function isKnownBrowser(
  { secret }: Pick<Context, 'secret'>,
  cookies: CookieJar,
  { id, password_version }: Known,
): boolean {
  const key = deriveKey(secret, 'known browser');
  return sealedIn(cookies).some((sealed) => open(key, id, sealed) === String(password_version));
}

const sealedIn = (cookies: CookieJar) =>
  (cookies.read(known) ?? '').split(separator).filter(Boolean).slice(0, mostAccounts);

/** Returns undefined for a forged cookie, or one for another account. */
function open(key: Buffer, context: string, sealed: string): string | undefined {
  try {
    return openSealed(key, context, sealed);
  } catch {
    return undefined;
  }
}
