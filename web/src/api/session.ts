import type { Account } from '@holdfast/contract/src/account.ts';
import { CallFailed } from '@holdfast/contract/src/envelope.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { actFor } from './acting-for.ts';
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
    const { account } = await client.getAccountInfo({ signal });
    actFor(account);
    const shown = queries.getQueryData(accountQuery.queryKey);
    // Another tab has signed somebody else in: nothing of the one before is shown to them.
    if (shown && shown.info.email !== account.info.email)
      await queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== accountKey[0] });
    return account;
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
    noticeSessionEnd(queries, error);
    return null;
  }
}
