import type { Subscription } from '@holdfast/contract/src/account.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { accountKey } from '../../../api/account-cache.ts';
import { fetchSubscription, subscriptionQuery } from '../../../api/subscription.ts';

/** The payment provider notifies the server asynchronously, usually within seconds. */
const maxPolls = 30;
const pauseMs = 2000;

const pollQuery = queryOptions({
  queryKey: ['plan-after-checkout'],
  queryFn: ({ signal, client: queries }) => pollForPlan(queries, signal),
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/** The subscription just bought, once the server knows of it; null if that takes longer than a minute. */
export const usePlanAfterCheckout = () => useQuery(pollQuery);

async function pollForPlan(queries: QueryClient, signal: AbortSignal): Promise<Subscription | null> {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    if (poll > 0) await pause(signal);
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
