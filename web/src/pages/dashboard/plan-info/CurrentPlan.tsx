import type { AccountInfo } from '@holdfast/contract/src/account.ts';
import { useSubscription } from '../../../api/subscription.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { ManagePlan } from './ManagePlan.tsx';
import { PlanTerms } from './PlanTerms.tsx';

export function CurrentPlan({ level }: Pick<AccountInfo, 'level'>) {
  const { data: subscription, error, refetch } = useSubscription();
  const { props } = useKeptFocus();
  return (
    <section
      {...props}
      aria-label="Current plan"
      tabIndex={-1}
      className="border-b border-line px-4 py-4 outline-none sm:px-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <p className="text-s text-muted">Current plan</p>
          <p className="text-title-s font-semibold">{level}</p>
        </div>
        <ManagePlan level={level} subscribed={Boolean(subscription)} />
      </div>
      {subscription !== undefined && <PlanTerms level={level} subscription={subscription} />}
      {subscription === undefined && !error && (
        <>
          <p className="sr-only">Loading what you pay for...</p>
          <Skeleton className="mt-2 mb-1 h-3.5 w-64 max-w-full" />
        </>
      )}
      {subscription === undefined && error && (
        <LoadFailure
          title="What you pay for could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          className="mt-3"
        />
      )}
    </section>
  );
}
