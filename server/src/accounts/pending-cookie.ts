import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { hours } from '../lib/clock.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';

const cookieName = 'pending';
const validFor = hours(24);

/** One sign-up of an account. An address can be signed up again until it is verified. */
export interface Attempt {
  readonly accountId: string;
  /** See `email_codes.attempt`. */
  readonly attempt: string;
}

/** The sign-up that this browser is about to confirm. */
export interface Pending extends Attempt {
  /**
   * Origin of the cookie: the browser knows the password, or it only requested a code for an address. In the second
   * case, responses must not reveal whether that address was signed up.
   */
  readonly by: 'password' | 'address';
}

/**
 * The value is sealed because an account id reveals its creation time, and a cookie without an account must look the
 * same.
 */
export function setPending({ secret }: Context, cookies: CookieJar, { accountId, attempt, by }: Pending): void {
  cookies.set(cookieName, seal(keyFrom(secret), cookieName, `${accountId}.${attempt}.${by}`), validFor);
}

export function readPending({ secret }: Context, cookies: CookieJar): Pending | null {
  const sealed = cookies.read(cookieName);
  if (sealed === undefined) return null;
  const [accountId, attempt, by] = (open(secret, sealed) ?? '').split('.');
  if (!accountId || !attempt || (by !== 'password' && by !== 'address')) return null;
  return { accountId, attempt, by };
}

export function clearPending(cookies: CookieJar): void {
  cookies.clear(cookieName);
}

function open(secret: Buffer, sealed: string): string | undefined {
  try {
    return openSealed(keyFrom(secret), cookieName, sealed);
  } catch {
    // A forged or modified cookie, or one sealed with another key, is ignored.
    return undefined;
  }
}

const keyFrom = (secret: Buffer) => deriveKey(secret, 'pending verification');
