import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import { hours } from '../lib/clock.ts';
import { deriveKey, hmacHex } from '../lib/derive-key.ts';

const cookieName = 'pending';
const validFor = hours(24);

/** Which sign-up this browser is about to confirm. */
export interface Pending {
  readonly accountId: string;
  /** The sign-up that was current when the cookie was set; see `email_codes.attempt`. */
  readonly attempt: string;
}

export function setPending(context: Context, cookies: CookieJar, pending: Pending): void {
  const text = `${pending.accountId}.${pending.attempt}`;
  cookies.set(cookieName, `${text}.${sign(context, text)}`, validFor);
}

export function readPending(context: Context, cookies: CookieJar): Pending | null {
  const [accountId = '', attempt = '', signature = ''] = cookies.read(cookieName)?.split('.') ?? [];
  const expected = Buffer.from(sign(context, `${accountId}.${attempt}`));
  const found = Buffer.from(signature);
  return found.length === expected.length && timingSafeEqual(found, expected) ? { accountId, attempt } : null;
}

export function clearPending(cookies: CookieJar): void {
  cookies.clear(cookieName);
}

const sign = ({ secret }: Context, text: string) => hmacHex(deriveKey(secret, 'pending verification'), text);
