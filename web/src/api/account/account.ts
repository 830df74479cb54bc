import type { Account } from '@holdfast/contract/src/account.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { afterFailure } from '../client/query-client.ts';
import { accountKey } from './account-cache.ts';

/** The signed-in account, or null if there is no session. */
export const accountQuery = queryOptions({
  queryKey: accountKey,
  queryFn: async ({ signal, client: queries }): Promise<Account | null> => {
    // A visitor without a session sends no request and need not load this code.
    const { fetchAccount } = await import('./fetch-account.ts');
    return fetchAccount(queries, signal);
  },
  // Without a session there is nothing to ask again, until this tab or another one signs in.
  staleTime: ({ state: { data, dataUpdatedAt } }) =>
    data === null && dataUpdatedAt !== afterFailure ? Infinity : 30_000,
  refetchOnWindowFocus: false,
  // A failed check counts as signed out.
  meta: { orElse: null },
});

export const useAccount = () => useQuery(accountQuery);

/** If the check of the session has failed, a function that repeats it. */
export function useFailedCheck(): (() => void) | undefined {
  const { dataUpdatedAt, refetch } = useAccount();
  return dataUpdatedAt === afterFailure ? () => void refetch() : undefined;
}
