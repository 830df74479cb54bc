import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { hours } from '../lib/clock.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';

const cookieName = 'pending';
const validFor = hours(24);

/** The sign-up that this browser is about to confirm. An address can be signed up again until it is verified. */
export interface Attempt {
  readonly accountId: string;
  /** See `email_codes.attempt`. */
  readonly attempt: string;
}

/** The value is sealed, because an account's id reveals when it was created. */
export function setPending({ secret }: Context, cookies: CookieJar, { accountId, attempt }: Attempt): void {
  cookies.set(cookieName, seal(keyFrom(secret), cookieName, `${accountId}.${attempt}`), validFor);
}

export function readPending({ secret }: Context, cookies: CookieJar): Attempt | null {
  const sealed = cookies.read(cookieName);
  if (sealed === undefined) return null;
  const [accountId, attempt] = (open(secret, sealed) ?? '').split('.');
  return accountId && attempt ? { accountId, attempt } : null;
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
