/**
 * A logout that the server has not confirmed. The browser remembers which session it ends, so that neither a reload nor
 * another tab shows the account of that session. Each attempt after the first one names the session and clears no
 * cookie, so it can never end the session of a later sign-in (docs/decisions/0041).
 */
import { defaultTimeoutMs } from '@holdfast/contract/src/client.ts';
import { client } from '../client/client.ts';
import { retryDelay } from '../client/retry.ts';
import { unconfirmedLogout } from './unconfirmed-logout.ts';

/** Ends a session. Resolves when the server has confirmed that; `onFailure` is called if the first attempt failed. */
export async function endSession(session: string, onFailure: () => void): Promise<void> {
  const sending = new AbortController();
  const settle = () => remember({ session, settledAt: 0 });
  remember({ session, settledAt: Date.now() + longestAttemptMs });
  // A page that is destroyed cancels its calls.
  window.addEventListener('pagehide', ({ persisted }) => void (persisted || settle()), sending);
  try {
    await client.logout();
    return forget(session);
  } catch (error) {
    console.error(error);
  } finally {
    sending.abort();
  }
  settle();
  unconfirmedLogout.set(true);
  onFailure();
  await confirmLogout();
}

/** Sends a pending logout until the server has confirmed it, here or in another tab. If it waits, it is sent now. */
export function confirmLogout(): Promise<void> {
  changes.dispatchEvent(new Event('change'));
  return (confirming ??= repeatLogout().finally(() => (confirming = undefined)));
}

/**
 * Resolves when no response to the first attempt of a logout can arrive any more, in any tab. It clears the session
 * cookie, even if that belongs to a later session.
 */
export async function firstAttemptSettled(): Promise<void> {
  for (;;) {
    const left = (pendingLogout()?.settledAt ?? 0) - Date.now();
    // More is left only if the clock was set back.
    if (left <= 0 || left > longestAttemptMs) return;
    await changeOrTimeout(left);
  }
}

/** Returns true if the user has logged out of this session, and the server has not confirmed it. */
export const isLoggedOut = (session: string | undefined): boolean =>
  session !== undefined && pendingLogout()?.session === session;

/** The client aborts a call after its timeout, and timers can be late. */
const longestAttemptMs = defaultTimeoutMs + 5000;

let confirming: Promise<void> | undefined;

async function repeatLogout(): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    await firstAttemptSettled();
    const logout = pendingLogout();
    if (!logout) return unconfirmedLogout.set(false);
    try {
      await client.repeatLogout({ body: { session: logout.session } });
      forget(logout.session);
    } catch (error) {
      console.error(error);
      unconfirmedLogout.set(true);
      await changeOrTimeout(retryDelay(failures, error));
    }
  }
}

interface PendingLogout {
  readonly session: string;
  /** Time from which no response to the first attempt can arrive any more. */
  readonly settledAt: number;
}

export const logoutKey = 'holdfast-logout';

/** The logout if storage refused it. It is then remembered by this page alone. */
let unstored: string | null = null;

function pendingLogout(): PendingLogout | undefined {
  const text = readText();
  if (text === null) return undefined;
  const [settledAt, session = ''] = text.split(' ');
  return { session, settledAt: Number(settledAt) };
}

function readText(): string | null {
  try {
    return unstored ?? localStorage.getItem(logoutKey);
  } catch {
    return null;
  }
}

function remember({ session, settledAt }: PendingLogout): void {
  const text = `${settledAt} ${session}`;
  try {
    localStorage.setItem(logoutKey, text);
    unstored = null;
  } catch {
    unstored = text;
  }
  changes.dispatchEvent(new Event('change'));
}

function forget(session: string): void {
  // Another tab may have logged out of a later session.
  if (pendingLogout()?.session !== session) return;
  unstored = null;
  try {
    localStorage.removeItem(logoutKey);
  } catch {
    // It was never stored.
  }
  changes.dispatchEvent(new Event('change'));
}

/** Tells of changes in this tab; those of other tabs are `storage` events of the window. */
const changes = new EventTarget();

/** Ends early when the pending logout changes, and when the browser has a connection again. */
async function changeOrTimeout(ms: number): Promise<void> {
  const waiting = new AbortController();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    waiting.signal.addEventListener('abort', () => clearTimeout(timer));
    changes.addEventListener('change', () => resolve(), waiting);
    for (const type of ['online', 'storage']) window.addEventListener(type, () => resolve(), waiting);
  });
  waiting.abort();
}
