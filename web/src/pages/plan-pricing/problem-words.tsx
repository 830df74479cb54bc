import type { SubscriptionProblem } from '@holdfast/contract/src/plans.ts';
import type { ReactNode } from 'react';
import { ReachUs } from '../../layouts/ReachUs.tsx';
import { site } from '../../lib/site.ts';

/** Why the subscription address led back to the plans. */
export const problemWords: Readonly<Record<SubscriptionProblem, { readonly title: string; readonly body: ReactNode }>> =
  {
    'unknown-plan': {
      title: 'That plan is not for sale here',
      body: 'The link that led here names no plan that this site sells. Those that it sells are below.',
    },
    'not-for-sale':
      site.offers.length > 0
        ? {
            title: 'That plan is not for sale here',
            body: 'This site does not sell it for that period. What it sells has a button below.',
          }
        : {
            title: 'Nothing is for sale here',
            body: 'This site takes no payments. Its operator can give an account a larger plan.',
          },
    unavailable: {
      title: 'The payment service does not answer',
      body: 'You have paid nothing and your plan is as it was. Try again in a few minutes.',
    },
    busy: {
      title: 'One moment, please',
      body: 'A checkout of yours is being opened already, perhaps in another tab. Go on there, or try again in a moment.',
    },
    granted: {
      title: 'Your plan came from the operator of this site',
      body: (
        <>
          You pay nothing for it, so there is no subscription to manage or switch, and nothing smaller to buy. A larger
          plan that is for sale can be bought below. <ReachUs />
        </>
      ),
    },
    'other-site': {
      title: 'Another site led you to a payment',
      body: 'Nothing was opened. If you meant to choose a plan, press its button below.',
    },
  };
