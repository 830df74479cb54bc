import type { AccountInfo, Subscription } from '@holdfast/contract/src/account.ts';
import { levelNamed, planNames, plans } from '../../../lib/plans.ts';
import type { ReactNode } from 'react';
import { useTimeZone } from '../../../api/account/settings.ts';
import { useSubscription } from '../../../api/subscription.ts';
import { keepUploads } from '../../../api/upload/upload-guard.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { paymentAddress } from '../../../components/pricing/plan-button.ts';
import { formatPrice } from '../../../components/pricing/price.ts';
import { ContactSentence } from '../../../components/ContactSentence.tsx';
import { useNow } from '../../../lib/now.ts';
import { site } from '../../../lib/site.ts';
import { calendarDay, lastDayBefore } from '../../../lib/time.ts';
import { ButtonAnchor, ButtonLink } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { type NamedSubscription, type PlanState, planState } from './plan-state.ts';

interface CurrentPlanProps extends Pick<AccountInfo, 'level'> {
  readonly account: string | undefined;
}

export function CurrentPlan({ level, account }: CurrentPlanProps) {
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
        <ManagePlan level={level} account={account} subscribed={Boolean(subscription)} />
      </div>
      {subscription !== undefined && <PlanTerms level={level} subscription={subscription} />}
      {subscription === undefined && !error && (
        <>
          <p className="sr-only">Loading your subscription...</p>
          <Skeleton className="mt-2 mb-1 h-3.5 w-64 max-w-full" />
        </>
      )}
      {subscription === undefined && error && (
        <LoadFailure
          title="Your subscription could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          className="mt-3"
        />
      )}
    </section>
  );
}

interface ManagePlanProps extends CurrentPlanProps {
  /** True if there is a subscription, even one whose payment failed so long ago that the account is on Free. */
  readonly subscribed: boolean;
}

/** A Free account usually has no subscription to manage, so the button leads to the plans instead. */
function ManagePlan({ level, account, subscribed }: ManagePlanProps) {
  if (!site.pricing && !subscribed) return null;
  // No plan is better than House, and none of it is paid for.
  if (level === plans.house.name && !subscribed) return null;
  if (level === plans.free.name && !subscribed) return <ButtonLink to="/plan-pricing">Manage Plan</ButtonLink>;
  return (
    <ButtonAnchor href={paymentAddress({ account })} onClick={keepUploads}>
      Manage Plan
    </ButtonAnchor>
  );
}

interface PlanTermsProps {
  readonly level: AccountInfo['level'];
  readonly subscription: Subscription | null;
}

/** Price and end of the plan, and what follows it. */
function PlanTerms({ level, subscription }: PlanTermsProps) {
  return <div className="mt-2 text-muted">{terms(planState(level, subscription, useNow(), planNames), level)}</div>;
}

function terms(state: PlanState, level: AccountInfo['level']): ReactNode {
  switch (state.kind) {
    case 'free':
      if (!site.pricing) return limitsFromOperator;
      return site.offers.length > 0
        ? 'You are on the free plan, for as long as you like.'
        : 'You are on the free plan. Ask the administrator for more space.';
    case 'unnamed':
      return <UnnamedTerms />;
    case 'granted':
      return site.pricing ? 'The administrator gave you this plan. It is free.' : limitsFromOperator;
    case 'renewing':
    case 'ending':
      return <PaidTerms state={state} level={level} />;
    case 'past-due':
    case 'lapsed':
      return <UnpaidTerms state={state} level={level} />;
  }
}

const limitsFromOperator = 'The administrator sets the limits of your account, and can give you more space.';

/**
 * The user pays for a price that matches no plan, and gets nothing until the operator fixes it. The log informs the
 * operator too.
 */
function UnnamedTerms() {
  return (
    <Note tone="warning">
      <p className="font-medium">Your subscription does not match a plan</p>
      <p>
        You have a subscription, but its price belongs to none of this site’s plans, so it does not change your limits.
        Ask the administrator which plan it is for. You can change or cancel it under ‘Manage Plan’. <ContactSentence />
      </p>
    </Note>
  );
}

/** Props of the texts for some of the states. */
interface StateProps<Kind extends PlanState['kind']> {
  readonly state: Extract<PlanState, { readonly kind: Kind }>;
  readonly level: AccountInfo['level'];
}

function PaidTerms({ state, level }: StateProps<'renewing' | 'ending'>) {
  const { subscription, better } = state;
  return (
    <>
      <p>
        <Price subscription={subscription} />{' '}
        {state.kind === 'renewing' ? (
          <>
            Renews on <Day of={subscription.period_ends} />.
          </>
        ) : (
          <>
            <span className="font-medium text-ink">
              Ends on <Day of={subscription.period_ends} />.
            </span>{' '}
            It is not renewed
            {better ? '.' : `: after that you have the limits of ${plans.free.name}. Your files are kept.`}
          </>
        )}
      </p>
      {better && (
        <p>
          That is for {subscription.level}, which you pay for. The administrator gave you {level}, which you keep.
        </p>
      )}
    </>
  );
}

/** `$29.99 a year.` */
function Price({ subscription: { level, period } }: { readonly subscription: NamedSubscription }) {
  const found = levelNamed(level);
  if (found === null) return null;
  const plan = plans[found];
  return (
    <>
      <span className="figures text-ink">{formatPrice(plan, period)}</span>{' '}
      {period === 'monthly' ? 'a month' : 'a year'}.
    </>
  );
}

/** A date in the account's time zone. */
function Day({ of }: { readonly of: string }) {
  const timeZone = useTimeZone();
  return <time dateTime={of}>{calendarDay(of, timeZone)}</time>;
}

function LastDay({ before }: { readonly before: string }) {
  const timeZone = useTimeZone();
  return <time dateTime={before}>{lastDayBefore(before, timeZone)}</time>;
}

/** Explains a failed payment: its consequences, the deadline for paying, and where to pay. */
function UnpaidTerms({ state, level }: StateProps<'past-due' | 'lapsed'>) {
  const { subscription, better, until } = state;
  const stays = better ? `You keep ${level}, which the administrator gave you.` : 'Your files stay.';
  if (state.kind === 'past-due')
    return (
      <Note tone="warning">
        <p className="font-medium">The last payment for {subscription.level} failed</p>
        <p>
          You keep the plan until the end of <LastDay before={until} />, and we retry the payment. If it still fails,{' '}
          {better ? 'that plan is over.' : `you have the limits of ${plans.free.name}.`} {stays} You can pay or change
          the card under ‘Manage Plan’.
        </p>
      </Note>
    );
  return (
    <Note tone="warning">
      <p className="font-medium">{subscription.level} is not paid</p>
      <p>
        {subscription.grace_ends === null ? (
          <>
            Your paid plan ended on <Day of={until} />, and no later payment has been received.
          </>
        ) : (
          <>
            The payment failed, and the last day to pay was <LastDay before={until} />.
          </>
        )}{' '}
        {level !== subscription.level && `Until you pay, you have the limits of ${level}. `}
        {stays} You can pay or cancel under ‘Manage Plan’.
      </p>
    </Note>
  );
}
