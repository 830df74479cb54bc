import {
  type BillingPeriod,
  type Plan,
  type PlanLevel,
  plans,
  subscriptionPath,
} from '@holdfast/contract/src/plans.ts';

/** Who looks at the plans, and what can be bought. */
export interface Buyer {
  /** The plan of whoever is signed in; null where nobody is. */
  readonly current: PlanLevel | null;
  readonly period: BillingPeriod;
  readonly forSale: boolean;
}

export interface PlanButton {
  readonly label: string;
  /** Where it leads; a button that leads nowhere is inert. */
  readonly to: 'sign-in' | 'subscription' | null;
  readonly href: string;
}

/** What stands on a plan's card (spec section 2, Pricing); null where there is no button. */
export function planButton(plan: Plan, { current, period, forSale }: Buyer): PlanButton | null {
  if (plan.isFree) return null;
  if (current === null) return { label: 'Sign in to continue', to: 'sign-in', href: '/sign-in' };
  if (!forSale) return { label: 'Unavailable', to: null, href: '' };
  if (plans[current].isFree)
    return subscription('Unlock This Plan', `${subscriptionPath}?plan=${plan.level}_${period}`);
  return subscription(plan.level === current ? 'Manage Plan' : `Switch to ${plan.name}`, subscriptionPath);
}

const subscription = (label: string, href: string): PlanButton => ({ label, to: 'subscription', href });
