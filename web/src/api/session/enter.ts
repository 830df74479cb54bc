import { useQueryClient } from '@tanstack/react-query';
import { accountQuery } from '../account/account.ts';
import { fetchAccount } from '../account/fetch-account.ts';
import { tellOtherTabs } from './other-tabs.ts';

/** Returns what follows a call that started a session: the app gets to know the account, and other tabs too. */
export function useEnter(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    // A request sent before the sign-in would report that there is no session.
    await queries.cancelQueries({ queryKey: accountQuery.queryKey });
    const account = await queries.fetchQuery({
      ...accountQuery,
      // This code was loaded with the form: a successful sign-in must not fail because a script cannot be loaded.
      queryFn: ({ signal }) => fetchAccount(queries, signal),
      staleTime: 0,
    });
    if (!account) throw new Error('Your browser did not keep the session. Allow cookies for this site and try again.');
    tellOtherTabs();
  };
}
