/** Changes of a whole account: a new API key, where the key is accepted, and its deletion. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { accountKey, showNewKey } from './account-cache.ts';
import { fetchAccount } from './fetch-account.ts';
import { tellOtherTabs } from '../session/other-tabs.ts';
import { leavingKey } from '../session/session-end.ts';
import { renew, useAccountChange } from './use-account-change.ts';

/**
 * Changes the API key. The old key is already invalid when the response arrives, so no screen in any tab may show it.
 */
export function useChangeApiKey() {
  const queries = useQueryClient();
  return useAccountChange({
    purpose: 'change your API key',
    send: async (client) => (await client.changeApiKey()).account_info.new_api_key,
    onSuccess: (api_key, _asked, email) => {
      showNewKey(queries, { email, api_key });
      tellOtherTabs({ newKey: { email, api_key } });
    },
    // Also after a failure: if only the response was lost, the key may have changed anyway.
    onSettled: async () => void renew(queries, accountKey),
  });
}

/** Changes whether uploads may carry the API key in their form. It stays pending until the account shows the outcome. */
export function useAllowKeyInForm() {
  const queries = useQueryClient();
  return useAccountChange({
    // Sends one change at a time, so that the server applies the last choice last.
    scope: { id: 'key in forms' },
    send: (client, allowed: boolean) => client.setKeyInForm({ body: { allowed } }),
    // Also after a failure: if only the response was lost, the change may be applied anyway.
    onSettled: () => renew(queries, accountKey),
  });
}

/** Deletes the account and returns its email address. */
export function useDeleteAccount() {
  return useAccountChange({
    mutationKey: leavingKey,
    purpose: 'delete your account',
    send: async (client) => (await client.deleteAccount()).account_info.email,
  });
}

const countedQuery = queryOptions({
  // Nested under the account's key, so that whatever invalidates the account invalidates this too.
  queryKey: [...accountKey, 'counted'],
  queryFn: ({ signal, client: queries }) => fetchAccount(queries, signal),
  // A response to an earlier request may still be in flight, so each newly opened step sends its own request.
  gcTime: 0,
  refetchOnWindowFocus: 'always',
});

/** The current account, for a decision that depends on it; undefined until the server has responded. */
export function useFreshAccount() {
  const { data, error, refetch } = useQuery(countedQuery);
  return { account: !error && data ? data : undefined, error, refetch } as const;
}
