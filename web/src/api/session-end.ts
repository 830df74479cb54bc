import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import type { QueryClient } from '@tanstack/react-query';
import { actFor } from './acting-for.ts';
import { tellOtherTabs } from './other-tabs.ts';

/** What the query cache knows the account by. */
export const accountKey = ['get-account-info'] as const;

/**
 * To be told of every failed call. Where it failed because the session is over, the account is dropped, which leads
 * from the dashboard to sign-in and later back.
 * @returns whether it was that, and so is not for the caller to report.
 */
export function noticeSessionEnd(queries: QueryClient, error: unknown): boolean {
  if (saysAccountChanged(error)) {
    void say('Another account is signed in in this browser now.');
    void queries.invalidateQueries({ queryKey: accountKey });
    return true;
  }
  if (!saysSignIn(error)) return false;
  // Calls that were under way together all hear it: the first one tells.
  if (!queries.getQueryData(accountKey)) return error.code !== undefined;
  forgetAccount(queries);
  void say('Your session has ended. Sign in again.');
  return true;
}

/** Drops everything that was known for the account that has left. */
export function forgetAccount(queries: QueryClient): void {
  actFor(null);
  tellOtherTabs();
  queries.setQueryData(accountKey, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== accountKey[0] });
}

/** Whoever is not signed in never hears of it, so no page brings along what says it. */
async function say(words: string): Promise<void> {
  const { toast } = await import('../ui/toast.ts');
  toast.error(words);
}

/** A refused upload has no code (decisions section 2). */
const saysAccountChanged = (error: unknown): boolean =>
  error instanceof CallFailed && error.status === 409 && (error.code ?? 'ACCOUNT_CHANGED') === 'ACCOUNT_CHANGED';

/** A refused upload has no code (decisions section 2). Wrong credentials are a 401 too, with a code of their own. */
function saysSignIn(error: unknown): error is CallFailed {
  return (
    error instanceof CallFailed &&
    error.problem === 'refused' &&
    error.status === 401 &&
    (error.code ?? 'AUTH_REQUIRED') === 'AUTH_REQUIRED'
  );
}
