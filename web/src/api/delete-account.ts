import { useMutation } from '@tanstack/react-query';
import { client } from './client.ts';

/** Gives the address of the account that is no more. */
export function useDeleteAccount() {
  return useMutation({ mutationFn: async () => (await client.deleteAccount()).account_info.email });
}
