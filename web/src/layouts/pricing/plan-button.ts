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
  /** What can be bought here. */
  readonly offers: readonly string[];
  /** The plan is a gift of the operator: there is no subscription to switch, and a larger plan is bought like a first one. */
  readonly isGift?: boolean;
}

export interface PlanButton {
  readonly label: string;
  /** Where it leads; a button that leads nowhere is inert. */
  readonly to: 'sign-in' | 'subscription' | null;
  readonly href: string;
}

/** What stands on a plan's card (spec section 2, Pricing); null where there is no button. */
export function planButton(plan: Plan, { current, period, offers, isGift = false }: Buyer): PlanButton | null {
  if (plan.isFree) return null;
  if (current === null) return { label: 'Sign in to continue', to: 'sign-in', href: '/sign-in' };
  const offer = offers.find((name) => name === `${plan.level}_${period}`);
  // What is paid for can be managed for as long as anything is sold, also where its own price is gone.
  if (plan.level === current && offers.length > 0) return subscription('Manage Plan', subscriptionPath);
  if (offer === undefined) return { label: 'Unavailable', to: null, href: '' };
  if (plans[current].isFree) return subscription('Unlock This Plan', `${subscriptionPath}?plan=${offer}`);
  return subscription(`Switch to ${plan.name}`, isGift ? `${subscriptionPath}?plan=${offer}` : subscriptionPath);
}

const subscription = (label: string, href: string): PlanButton => ({ label, to: 'subscription', href });
