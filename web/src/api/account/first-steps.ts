import type { FirstStepsChange } from '@holdfast/contract/src/first-steps.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../client/client.ts';
import { useAccount } from './account.ts';
import { accountKey } from './account-cache.ts';
import { renew, useAccountChange } from './use-account-change.ts';

/** Fetched anew when the page gets the focus: settings and commands are in other windows. */
export const firstStepsQuery = queryOptions({
  queryKey: ['get-first-steps'],
  queryFn: async ({ signal }) => (await client.getFirstSteps({ signal })).first_steps,
});

export const useFirstSteps = () => useQuery(firstStepsQuery);

export function useChangeFirstSteps() {
  const queries = useQueryClient();
  return useAccountChange({
    send: (account, change: FirstStepsChange) => account.changeFirstSteps({ body: change }),
    onSuccess: ({ first_steps }) => {
      queries.setQueryData(firstStepsQuery.queryKey, first_steps);
      if (first_steps === null) void renew(queries, accountKey);
    },
  });
}

/** Returns what to call when the API key is copied. Most accounts have no list to note it in. */
export function useNoteKeyCopied(): () => void {
  const hasList = useAccount().data?.first_steps === true;
  const { mutateAsync } = useChangeFirstSteps();
  return () => {
    // If it fails, the step stays open, and nothing else is lost.
    if (hasList) void mutateAsync({ copied: 'api_key' }).catch(() => {});
  };
}
