import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import type { Subscription } from '@holdfast/contract/src/account.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { accountKey } from '../../../api/account/account-cache.ts';
import { renew } from '../../../api/account/use-account-change.ts';
import { fetchSubscription, subscriptionQuery } from '../../../api/subscription.ts';

const route = getRouteApi('/dashboard/plan-info');

/** Shown after a checkout. */
export function PaymentConfirmation() {
  const { checkout } = route.useSearch();
  return checkout === 'paid' ? <AwaitedPlan /> : null;
}

/**
 * The plan becomes active when the payment provider has notified the server. Any visitor can open this address, and
 * some payment methods take days, so this page never claims that the payment has succeeded.
 */
function AwaitedPlan() {
  const { data: subscription, error, isFetching, refetch } = usePlanAfterCheckout();
  const navigate = route.useNavigate();
  const { props } = useKeptFocus();
  useEffect(() => {
    if (!subscription?.level || isFetching) return;
    toast.success(`Thank you! You are on ${subscription.level} now.`, { id: 'checkout' });
    // Removes the parameter, so that a reload does not show the thanks again.
    void navigate({ search: {}, replace: true, resetScroll: false });
  }, [subscription, isFetching, navigate]);
  return (
    <section {...props} aria-label="Your payment" tabIndex={-1} className="mt-5 outline-none">
      {isFetching && <Waiting />}
      {!isFetching && subscription === null && <Late onRetry={() => void refetch()} />}
      {!isFetching && error && (
        <LoadFailure title="Your plan could not be checked" error={error} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

const Waiting = () => (
  <output className="flex items-center gap-2.5 rounded-m bg-sea-wash px-3 py-2.5">
    <Spinner />
    Waiting for the confirmation of your payment...
  </output>
);

const Late = ({ onRetry }: { readonly onRetry: () => void }) => (
  <Note tone="warning">
    <p className="font-medium">Your plan is not active yet</p>
    <p>
      If you have paid, the confirmation is taking longer than usual. Your plan will start when it arrives. Do not pay
      again.
    </p>
    <Button className="mt-3" onClick={onRetry}>
      Check again
    </Button>
  </Note>
);

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
const usePlanAfterCheckout = () => useQuery(pollQuery);

async function pollForPlan(queries: QueryClient, signal: AbortSignal): Promise<Subscription | null> {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    if (poll > 0) await pause(signal);
    const subscription = await fetchSubscription(signal);
    // One whose payment has failed was not bought just now.
    if (!subscription?.level || subscription.status === 'past_due') continue;
    queries.setQueryData(subscriptionQuery.queryKey, subscription);
    // Other tabs too, because files may wait there for the space.
    await renew(queries, accountKey);
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
