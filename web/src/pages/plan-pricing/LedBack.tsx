import type { SubscriptionProblem } from '@holdfast/contract/src/plans.ts';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Note } from '../../ui/Note.tsx';
import { toast } from '../../ui/toast.ts';
import { problemWords } from './problem-words.tsx';

const route = getRouteApi('/open/plan-pricing');

/** For whoever pressed a button of a plan and is back here without one: why. */
export function LedBack() {
  const { problem, checkout } = route.useSearch();
  if (problem !== undefined) return <Problem problem={problem} />;
  return checkout === 'canceled' ? <CheckoutLeft /> : null;
}

/** Spoken when the page opens: it is why one is here. */
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

function CheckoutLeft() {
  useEffect(() => void toast('You left the checkout. You have paid nothing.', { id: 'checkout' }), []);
  return (
    <Note className="mb-6 max-w-3xl">
      You left the checkout, so you have paid nothing and your plan is as it was. The checkout can be taken up again
      with the same button.
    </Note>
  );
}
