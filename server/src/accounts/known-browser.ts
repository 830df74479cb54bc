/**
 * A browser in which somebody signed in before keeps its own allowance of wrong passwords for that e-mail. So whoever
 * guesses from elsewhere cannot keep the owner out. The cookie lets nobody in.
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

export function rememberBrowser({ secret }: Context, cookies: CookieJar, email: string): void {
  cookies.set(cookieName, seal(keyFrom(secret), emailKey(email), randomText(16)), validFor);
}

/** What the browser's wrong passwords are counted by, where somebody signed in with this e-mail before. */
export function knownBrowserOf({ secret }: Context, cookies: CookieJar, email: string): string | undefined {
  const sealed = cookies.read(cookieName);
  if (sealed === undefined) return undefined;
  try {
    return openSealed(keyFrom(secret), emailKey(email), sealed);
  } catch {
    // Made up, or of another e-mail.
    return undefined;
  }
}

const keyFrom = (secret: Buffer) => deriveKey(secret, 'known browser');
