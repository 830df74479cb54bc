import type { Account } from '@holdfast/contract/src/account.ts';
import { CallFailed } from '@holdfast/contract/src/envelope.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { accountKey, noticeSessionEnd } from './session-end.ts';

/** Who is signed in: the account, or null where nobody is. */
export const accountQuery = queryOptions({
  queryKey: accountKey,
  queryFn: ({ signal, client: queries }) => fetchAccount(queries, signal),
  staleTime: 30_000,
  refetchOnWindowFocus: false,
  // A check that fails counts as signed out (spec section 8).
  meta: { orElse: null },
});

export const useAccount = () => useQuery(accountQuery);

/** A 401 is an answer, not a failure: nobody is signed in (spec section 8), or nobody is any more. */
async function fetchAccount(queries: QueryClient, signal: AbortSignal): Promise<Account | null> {
  try {
    return (await client.getAccountInfo({ signal })).account;
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
    noticeSessionEnd(queries, error);
    return null;
  }
}
