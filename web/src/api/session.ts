import type { Account } from '@holdfast/contract/src/account.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { accountKey } from './session-end.ts';

/** Who is signed in: the account, or null where nobody is. */
export const accountQuery = queryOptions({
  queryKey: accountKey,
  queryFn: async ({ signal, client: queries }): Promise<Account | null> => {
    // Whoever came without a session asks nothing, and need not load what asks.
    const { fetchAccount } = await import('./fetch-account.ts');
    return fetchAccount(queries, signal);
  },
  staleTime: 30_000,
  refetchOnWindowFocus: false,
  // A check that fails counts as signed out (spec section 8).
  meta: { orElse: null },
});

export const useAccount = () => useQuery(accountQuery);
