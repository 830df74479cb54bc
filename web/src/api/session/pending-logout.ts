/**
 * A logout that the server has not confirmed. Until then the session still works, so all other calls of this browser
 * wait for the logout and fail with it. The browser remembers the logout, so that neither a reload nor another tab
 * continues the session.
 */
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { createClient } from '@holdfast/contract/src/client.ts';
import { retryDelay } from '../client/retry.ts';
import { unconfirmedLogout } from './unconfirmed-logout.ts';

/** Sends the logout until the server has confirmed it. Calls `onFailure` after each attempt that failed. */
export async function endSession(onFailure: () => void): Promise<void> {
  remember(true);
  for (let failures = 0; ; failures += 1) {
    try {
      await finishLogout();
      return unconfirmedLogout.set(false);
    } catch (error) {
      console.error(error);
      unconfirmedLogout.set(true);
      onFailure();
      await waitForNextAttempt(retryDelay(failures, error));
    }
  }
}

/**
 * Sends a pending logout once; concurrent callers share the attempt.
 * @throws {CallFailed} if the logout is still pending
 */
export async function finishLogout(): Promise<void> {
  if (!isLogoutPending()) return;
  attempt ??= sendLogout().finally(() => (attempt = undefined));
  await attempt;
}

let attempt: Promise<void> | undefined;

const client = createClient((input, init) => window.fetch(input, init));

async function sendLogout(): Promise<void> {
  try {
    await client.logout();
  } catch (error) {
    // A 401 means that the session had already ended, which is the desired result.
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
  }
  remember(false);
}

const storageKey = 'holdfast-logout';

let isPendingHere = false;
let endWait = () => {};

export function isLogoutPending(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return isPendingHere;
  }
}

function remember(isPending: boolean): void {
  isPendingHere = isPending;
  try {
    if (isPending) localStorage.setItem(storageKey, 'pending');
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage can be forbidden; the logout is then remembered until the page is closed.
  }
  if (!isPending) endWait();
}

/** Ends early when the browser has a connection again, or when another call or tab has finished the logout. */
async function waitForNextAttempt(ms: number): Promise<void> {
  const listening = new AbortController();
  await new Promise<void>((resolve) => {
    endWait = resolve;
    const timer = setTimeout(resolve, ms);
    listening.signal.addEventListener('abort', () => clearTimeout(timer));
    for (const type of ['online', 'storage']) window.addEventListener(type, () => resolve(), listening);
  });
  listening.abort();
}
