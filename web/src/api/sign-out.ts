import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';
import { forgetAccount } from './session-end.ts';

export function useSignOut() {
  return useMutation({ mutationFn: signOut });
}

/** A 401 means that the session had ended already, which is what was wanted. */
async function signOut(): Promise<void> {
  try {
    await client.logout();
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
  }
}

/** Drops everything that was known for the account that has left. */
export function useForgetAccount() {
  const queries = useQueryClient();
  return () => forgetAccount(queries);
}
