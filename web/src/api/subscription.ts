import type { Subscription } from '@holdfast/contract/src/account.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { plans } from '../lib/plans.ts';
import { accountKey } from './account/account-cache.ts';
import { accountQuery } from './account/account.ts';
import { client } from './client/client.ts';

export const subscriptionQuery = queryOptions({
  queryKey: ['get-subscription'],
  async queryFn({ signal, client: queries }) {
    const subscription = await fetchSubscription(signal);
    const level = queries.getQueryData(accountQuery.queryKey)?.info.level;
    // The account is fetched less often than this. An outdated plan level would make the page describe the plan as a
    // gift.
    if (level !== undefined && level !== (subscription?.level ?? plans.free.name))
      await queries.invalidateQueries({ queryKey: accountKey });
    return subscription;
  },
});

/** The subscription that the account pays for; null if there is none. */
export const useSubscription = () => useQuery(subscriptionQuery);

export async function fetchSubscription(signal: AbortSignal): Promise<Subscription | null> {
  return (await client.getSubscription({ signal })).subscription;
}
