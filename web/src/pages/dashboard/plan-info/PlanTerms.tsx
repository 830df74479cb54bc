import type { AccountInfo, Subscription } from '@holdfast/contract/src/account.ts';
import type { ReactNode } from 'react';
import { useNow } from '../../../lib/now.ts';
import { site } from '../../../lib/site.ts';
import { PaidTerms } from './PaidTerms.tsx';
import { type PlanState, planState } from './plan-state.ts';
import { UnnamedTerms } from './UnnamedTerms.tsx';
import { UnpaidTerms } from './UnpaidTerms.tsx';

export interface PlanTermsProps {
  readonly level: AccountInfo['level'];
  readonly subscription: Subscription | null;
}

/** What the plan costs, how long it lasts and what comes then. */
export function PlanTerms({ level, subscription }: PlanTermsProps) {
  return <div className="mt-2 text-muted">{terms(planState(level, subscription, useNow()), level)}</div>;
}

function terms(state: PlanState, level: AccountInfo['level']): ReactNode {
  switch (state.kind) {
    case 'free':
      return site.offers.length > 0
        ? 'You pay nothing, for as long as you like.'
        : 'You pay nothing. This site sells no plans; its operator can give you a larger one.';
    case 'unnamed':
      return <UnnamedTerms />;
    case 'granted':
      return 'The operator of this site gave you this plan. There is no subscription, and you pay nothing.';
    case 'renewing':
    case 'ending':
      return <PaidTerms state={state} level={level} />;
    case 'past-due':
    case 'lapsed':
      return <UnpaidTerms state={state} level={level} />;
  }
}
