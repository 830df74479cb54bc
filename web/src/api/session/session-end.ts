import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import type { QueryClient } from '@tanstack/react-query';
import { aboutAccount, accountKey, cachedEmail, remountDashboard } from '../account/account-cache.ts';
import { tellOfSessionEnd } from './other-tabs.ts';

/** Mutation key of the mutations of an account deletion, which ends the session. */
export const leavingKey = ['leave'] as const;

/**
 * Must be called for every failed call. If it failed because the session is over, the account is dropped, which leads
 * from the dashboard to sign-in and back afterwards. `own` is the failed mutation, if it was one.
 * @returns true if that was the cause, in which case the caller must not report the failure.
 */
export function noticeSessionEnd(queries: QueryClient, error: unknown, own?: object): boolean {
  const noticed = notice(queries, error, own);
  if (noticed && error instanceof Error) noticedErrors.add(error);
  return noticed;
}

const noticedErrors = new WeakSet<Error>();

/** Marks a failure that needs no message, because the user caused it. */
export const markNoticed = (error: Error): void => void noticedErrors.add(error);

/** Returns true if the user already knows of this failure, or need not know. */
export const isNoticed = (error: unknown): boolean => error instanceof Error && noticedErrors.has(error);

function notice(queries: QueryClient, error: unknown, own: object | undefined): boolean {
  if (saysAccountChanged(error)) {
    void say('Another account is now signed in in this browser.');
    remountDashboard(queries);
    void queries.invalidateQueries({ queryKey: accountKey });
    return true;
  }
  if (!saysSignIn(error)) return false;
  // Account deletion shows messages of its own.
  if (queries.isMutating({ mutationKey: leavingKey, predicate: (leaving) => leaving !== own })) return true;
  // All concurrent calls fail with this error; only the first one shows the message.
  if (cachedEmail(queries) === undefined) return error.code !== undefined;
  tellOfSessionEnd();
  forgetAccount(queries);
  void say('Your session has ended. Sign in again.');
  return true;
}

/** Drops everything that was cached for the account that has left. */
export function forgetAccount(queries: QueryClient): void {
  queries.setQueryData(accountKey, null);
  queries.removeQueries(aboutAccount);
  // They contain passwords and API keys. Pending ones are kept, because others may be queued behind them.
  const mutations = queries.getMutationCache();
  for (const mutation of mutations.getAll()) if (mutation.state.status !== 'pending') mutations.remove(mutation);
}

/** Imports the toast on demand, because visitors without a session never see it. */
async function say(words: string): Promise<void> {
  const { toast } = await import('../../ui/toast.tsx');
  // Several calls may fail at once, so they share one toast id.
  toast.error(words, { id: words });
}

/** A refused upload has no error code. */
const saysAccountChanged = (error: unknown): boolean =>
  error instanceof CallFailed && error.status === 409 && (error.code ?? 'ACCOUNT_CHANGED') === 'ACCOUNT_CHANGED';

/** A refused upload has no error code. Wrong credentials are also a 401, with a code of their own. */
function saysSignIn(error: unknown): error is CallFailed {
  return (
    error instanceof CallFailed &&
    error.problem === 'refused' &&
    error.status === 401 &&
    (error.code ?? 'AUTH_REQUIRED') === 'AUTH_REQUIRED'
  );
}
