import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { hours } from '../lib/clock.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';

const cookieName = 'pending';
const validFor = hours(24);

/** One sign-up of an account: an address may be signed up again until it is verified. */
export interface Attempt {
  readonly accountId: string;
  /** See `email_codes.attempt`. */
  readonly attempt: string;
}

/** Which sign-up this browser is about to confirm. */
export interface Pending extends Attempt {
  /**
   * How the browser came by it: it knows the password, or it asked for a code by an address alone. The second hears
   * nothing from which it could tell whether anybody signed up with that address.
   */
  readonly by: 'password' | 'address';
}

/** Sealed: an account's id says when it was made, and one that stands for nobody must look the same. */
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
    // Made up, changed, or of another key: as good as none.
    return undefined;
  }
}

const keyFrom = (secret: Buffer) => deriveKey(secret, 'pending verification');
