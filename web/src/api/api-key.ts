import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';
import { accountQuery } from './session.ts';

/** The old key is dead when the answer comes: no screen may show it any longer. */
export function useChangeApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await client.changeApiKey()).account_info.new_api_key,
    onSuccess: (api_key) => {
      queries.setQueryData(
        accountQuery.queryKey,
        (account) => account && { ...account, info: { ...account.info, api_key } },
      );
      void queries.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
}
