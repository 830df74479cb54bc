import type { Subscription } from '@holdfast/contract/src/account.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { accountQuery } from './session.ts';
import { accountKey } from './session-end.ts';

const subscriptionQuery = queryOptions({
  queryKey: ['get-subscription'],
  async queryFn({ signal, client: queries }) {
    const subscription = await fetchSubscription(signal);
    const level = queries.getQueryData(accountQuery.queryKey)?.info.level;
    // The account is asked for less often: beside another plan than it was on then it would tell of a gift.
    if (level !== undefined && level !== (subscription?.level ?? 'Free'))
      await queries.invalidateQueries({ queryKey: accountKey });
    return subscription;
  },
});

/** What the account pays for; null where that is nothing. */
export const useSubscription = () => useQuery(subscriptionQuery);

async function fetchSubscription(signal: AbortSignal): Promise<Subscription | null> {
  return (await client.getSubscription({ signal })).subscription;
}

/** The payment provider tells the server in its own time, mostly within seconds. */
const looks = 30;
const pauseMs = 2000;

const arrivalQuery = queryOptions({
  queryKey: ['plan-arrives'],
  queryFn: ({ signal, client: queries }) => awaitArrival(queries, signal),
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/** What was just paid for, once the server knows of it; null where that takes longer than a minute. */
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
