import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../client/client.ts';
import { renew, useAccountChange } from '../account/use-account-change.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['get-sessions'],
  queryFn: async ({ signal }) => (await client.getSessions({ signal })).sessions,
});

export const useSessions = () => useQuery(sessionsQuery);

/** One session by its id, or all except the current one. */
export type SessionsToEnd = { readonly session: string } | { readonly others: true };

/** Stays pending until the list is refetched, so that the pressed button is disabled until it disappears. */
export function useEndSessions() {
  const queries = useQueryClient();
  return useAccountChange({
    purpose: 'sign out other devices',
    send: (account, which: SessionsToEnd) => account.endSessions({ body: which }),
    onSettled: () => renew(queries, sessionsQuery.queryKey),
  });
}
