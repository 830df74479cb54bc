import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useArrivingPlan } from '../../../api/subscription.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toast } from '../../../ui/toast.ts';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';

const route = getRouteApi('/dashboard/plan-info');

/**
 * The plan is there as soon as the payment provider has told the server. Anybody can open this address, and some ways to
 * pay take days: nothing here says that the payment is through.
 */
export function PlanArrives() {
  const { data: subscription, error, isFetching, refetch } = useArrivingPlan();
  const navigate = route.useNavigate();
  const { props } = useKeptFocus();
  useEffect(() => {
    if (!subscription?.level || isFetching) return;
    toast.success(`Thank you! You are on ${subscription.level} now.`, { id: 'checkout' });
    // Another look at this address thanks nobody once more.
    void navigate({ search: {}, replace: true, resetScroll: false });
  }, [subscription, isFetching, navigate]);
  return (
    <section {...props} aria-label="Your payment" tabIndex={-1} className="mt-5 max-w-3xl outline-none">
      {isFetching && <Waiting />}
      {!isFetching && subscription === null && <Late onRetry={() => void refetch()} />}
      {!isFetching && error && (
        <LoadFailure
          title="Whether your plan is here could not be looked up"
          error={error}
          onRetry={() => void refetch()}
        />
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
    <p className="font-medium">Your plan is not here yet</p>
    <p>
      If you have paid, the confirmation takes longer than usual. The plan comes by itself then: there is no need to pay
      again.
    </p>
    <Button className="mt-3" onClick={onRetry}>
      Look again
    </Button>
  </Note>
);
