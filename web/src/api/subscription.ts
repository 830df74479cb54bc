import type { Subscription } from '@holdfast/contract/src/account.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { accountKey } from './account-cache.ts';
import { accountQuery } from './account.ts';
import { client } from './client.ts';

const subscriptionQuery = queryOptions({
  queryKey: ['get-subscription'],
  async queryFn({ signal, client: queries }) {
    const subscription = await fetchSubscription(signal);
    const level = queries.getQueryData(accountQuery.queryKey)?.info.level;
    // The account is fetched less often than this. An outdated plan level would make the page describe the plan as a
    // gift.
    if (level !== undefined && level !== (subscription?.level ?? 'Free'))
      await queries.invalidateQueries({ queryKey: accountKey });
    return subscription;
  },
});

/** The subscription that the account pays for; null if there is none. */
export const useSubscription = () => useQuery(subscriptionQuery);

async function fetchSubscription(signal: AbortSignal): Promise<Subscription | null> {
  return (await client.getSubscription({ signal })).subscription;
}

/** Number of polls. The payment provider notifies the server asynchronously, usually within seconds. */
const looks = 30;
const pauseMs = 2000;

const arrivalQuery = queryOptions({
  queryKey: ['plan-arrives'],
  queryFn: ({ signal, client: queries }) => awaitArrival(queries, signal),
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/** The subscription just bought, once the server knows of it; null if that takes longer than a minute. */
export const useArrivingPlan = () => useQuery(arrivalQuery);

async function awaitArrival(queries: QueryClient, signal: AbortSignal): Promise<Subscription | null> {
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await pause(signal);
    const subscription = await fetchSubscription(signal);
    if (!subscription?.level) continue;
    queries.setQueryData(subscriptionQuery.queryKey, subscription);
    await queries.invalidateQueries({ queryKey: accountKey });
    return subscription;
  }
  return null;
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
