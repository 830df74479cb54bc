import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['get-sessions'],
  queryFn: async ({ signal }) => (await client.getSessions({ signal })).sessions,
});

export const useSessions = () => useQuery(sessionsQuery);

/** One session by its id, or all but the one that asks. */
export type SessionsToEnd = { readonly session: string } | { readonly others: true };

/** Ends when the list is renewed, so that what was pressed rests until it is gone. */
export function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (which: SessionsToEnd) => client.endSessions({ body: which }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
