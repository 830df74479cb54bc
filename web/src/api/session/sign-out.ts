import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../client/client.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { forgetAccount, leavingKey } from './session-end.ts';
import { useOneCall } from '../client/use-one-call.ts';

/** `onLeave` navigates home first: forgetting the account on a dashboard page would redirect to sign-in instead. */
export const useSignOut = (onLeave: () => Promise<unknown>) => useLeaving(signOut, onLeave);

/** One second, so that the user can read the result on the page where it happened. */
const goodbyeMs = 1000;

/**
 * Signs out after account deletion, which ended the sessions. Whatever the server returns, this browser is signed out.
 */
export const useGoodbye = (onLeave: () => Promise<unknown>) =>
  useLeaving(
    () => Promise.all([signOut().catch(console.error), new Promise<void>((resolve) => setTimeout(resolve, goodbyeMs))]),
    onLeave,
  );

/** All steps belong to the mutation, which continues even if the pressed button has left the screen. */
function useLeaving<Result>(leave: () => Promise<Result>, onLeave: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useOneCall({
    mutationKey: leavingKey,
    mutationFn: leave,
    onSuccess: async () => {
      await onLeave();
      tellOtherTabs();
      forgetAccount(queries);
    },
  });
}

/** A 401 means that the session had already ended, which is the desired result. */
async function signOut(): Promise<void> {
  try {
    await client.logout();
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
  }
}
