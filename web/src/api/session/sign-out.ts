import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { accountKey, cachedSession } from '../account/account-cache.ts';
import { client } from '../client/client.ts';
import { useOneCall } from '../client/use-one-call.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { endSession } from './pending-logout.ts';
import { forgetAccount, leavingKey } from './session-end.ts';

/**
 * Forgets the account at once, whether or not the server can be reached, and then ends its session. Resolves when the
 * server has confirmed that; `onFailure` is called if the first attempt failed.
 */
export async function signOut(queries: QueryClient, onFailure: () => void): Promise<void> {
  const session = cachedSession(queries) ?? '';
  // A response that is still in flight would show the account again.
  void queries.cancelQueries({ queryKey: accountKey });
  forgetAccount(queries);
  await endSession(session, onFailure);
  tellOtherTabs();
}

/** One second, so that the user can read the result on the page where it happened. */
const goodbyeMs = 1000;

/**
 * Signs out after account deletion, which ended the sessions. Whatever the server returns, this browser is signed out.
 * `onLeave` navigates home first. All steps belong to the mutation, which continues even if the pressed button has left
 * the screen.
 */
export function useGoodbye(onLeave: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useOneCall({
    mutationKey: leavingKey,
    mutationFn: () =>
      Promise.all([
        client.logout().catch(console.error),
        new Promise<void>((resolve) => setTimeout(resolve, goodbyeMs)),
      ]),
    onSuccess: async () => {
      await onLeave();
      tellOtherTabs();
      forgetAccount(queries);
    },
  });
}
