/**
 * A browser that has signed in with an email before has its own limit of wrong passwords for that email. So guesses
 * from elsewhere cannot lock the owner out. The cookie alone does not sign in.
 */
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { days } from '../lib/clock.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';
import { openSealed, seal } from '../lib/seal.ts';
import { emailKey } from './find-account.ts';

const cookieName = 'known';
const validFor = days(180);

export function rememberBrowser({ secret }: Pick<Context, 'secret'>, cookies: CookieJar, email: string): void {
  cookies.set(cookieName, seal(keyFrom(secret), emailKey(email), randomText(16)), validFor);
}

/** The rate-limit key for wrong passwords from this browser, if it has signed in with this email before. */
export function knownBrowserOf({ secret }: Context, cookies: CookieJar, email: string): string | undefined {
  const sealed = cookies.read(cookieName);
  if (sealed === undefined) return undefined;
  try {
    return openSealed(keyFrom(secret), emailKey(email), sealed);
  } catch {
    // Forged, or for another email.
    return undefined;
  }
}

const keyFrom = (secret: Buffer) => deriveKey(secret, 'known browser');
