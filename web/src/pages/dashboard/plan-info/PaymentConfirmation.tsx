import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toast } from '../../../ui/toast.ts';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { usePlanAfterCheckout } from './poll-after-checkout.ts';

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
    <section {...props} aria-label="Your payment" tabIndex={-1} className="mt-5 max-w-3xl outline-none">
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
