import type { SubscriptionProblem } from '@holdfast/contract/src/limits.ts';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useAccount } from '../../api/account/account.ts';
import { nothingForSale } from '../../components/pricing/nothing-for-sale.ts';
import { levelNamed, sellsBetterThan } from '../../lib/plans.ts';
import { site } from '../../lib/site.ts';
import { Note } from '../../ui/Note.tsx';
import { toast } from '../../ui/toast.tsx';

const route = getRouteApi('/open/plan-pricing');

/** Explains why a visitor who pressed a plan's button was redirected back without one. */
export function CheckoutNotice() {
  const { problem, checkout } = route.useSearch();
  if (problem !== undefined) return <Problem problem={problem} />;
  return checkout === 'canceled' ? <CheckoutCanceled /> : null;
}

/** Announced when the page opens, because it is the reason for the redirect. */
function Problem({ problem }: { readonly problem: SubscriptionProblem }) {
  const { title, body } = problemWords[problem];
  return (
    <div role="alert">
      <Note tone="warning" className="mb-6 max-w-3xl">
        <p className="font-medium">{title}</p>
        <p>{body}</p>
      </Note>
    </div>
  );
}

/** The reason why the subscription address redirected to the plans. */
const problemWords: Readonly<Record<SubscriptionProblem, { readonly title: string; readonly body: ReactNode }>> = {
  'unknown-plan': {
    title: 'That plan is not for sale here',
    body: 'The link names no plan that this site sells. See the plans below.',
  },
  'not-for-sale':
    site.offers.length > 0
      ? {
          title: 'That plan is not for sale here',
          body: 'This site does not sell it for that period. Plans for sale have a button below.',
        }
      : nothingForSale,
  unavailable: {
    title: 'The payment service does not respond',
    body: 'You have paid nothing and your plan is as it was. Try again in a few minutes.',
  },
  busy: {
    title: 'One moment, please',
    body: 'Your checkout is already being opened, perhaps in another tab. Continue there, or try again in a moment.',
  },
  granted: {
    title: 'The administrator gave you this plan',
    body: (
      <>
        There is nothing to pay or manage. <LargerPlans />
      </>
    ),
  },
  'other-site': {
    title: 'Another site led you to a payment',
    body: 'Nothing was opened. If you meant to choose a plan, press its button below.',
  },
  'other-account': {
    title: 'You are signed in to another account now',
    body: 'You have paid nothing. This page shows the account that you are signed in to: press the button again to choose a plan for it.',
  },
};

function LargerPlans() {
  const { data: account } = useAccount();
  const level = account && levelNamed(account.info.level);
  return level && sellsBetterThan(level) ? 'You can buy a larger plan below.' : null;
}

function CheckoutCanceled() {
  useEffect(() => void toast('You left the checkout. You have paid nothing.', { id: 'checkout' }), []);
  return (
    <Note className="mb-6 max-w-3xl">
      You left the checkout, so you have paid nothing and your plan is as it was. You can open the checkout again with
      the same button.
    </Note>
  );
}
