import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../account/account-cache.ts';
import { client } from '../client/client.ts';
import { useOneCall } from '../client/use-one-call.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { forgetAccount, leavingKey } from './session-end.ts';

/**
 * Ends the session and forgets the account. Returns false if the server could not be reached: then this page forgets the
 * account, and the browser keeps its session.
 */
export async function signOut(queries: QueryClient): Promise<boolean> {
  const isEnded = await client.logout().then(
    () => true,
    (error: unknown) => {
      console.error(error);
      return false;
    },
  );
  // A response that is still in flight would show the account again.
  void queries.cancelQueries({ queryKey: accountKey });
  forgetAccount(queries);
  if (isEnded) tellOtherTabs();
  return isEnded;
}

/** One second, so that the user can read the result on the page where it happened. */
const goodbyeMs = 1000;

/**
 * Signs out after account deletion, which ended the sessions, so that nothing depends on the response. `onLeave`
 * navigates home first. All steps belong to the mutation, which continues even if the pressed button has left the
 * screen.
 */
export function useGoodbye(onLeave: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useOneCall({
    mutationKey: leavingKey,
    mutationFn() {
      client.logout().catch(console.error);
      return new Promise<void>((resolve) => setTimeout(resolve, goodbyeMs));
    },
    onSuccess: async () => {
      await onLeave();
      tellOtherTabs();
      forgetAccount(queries);
    },
  });
}
