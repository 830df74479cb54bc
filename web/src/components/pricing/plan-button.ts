import { type BillingPeriod, type Plan, type PlanLevel, subscriptionPath } from '@holdfast/contract/src/plans.ts';

/** The reader of the plan cards and the offers available to them. */
export interface PlanViewer {
  /** Plan of the signed-in account; null without a session. */
  readonly current: PlanLevel | null;
  /** Id of that account. */
  readonly account?: string | undefined;
  readonly period: BillingPeriod;
  readonly offers: readonly string[];
  /**
   * True if the operator granted the plan. There is no subscription to switch, so a larger plan is bought like a first
   * one.
   */
  readonly isGift?: boolean;
}

export interface PlanButton {
  readonly label: string;
  /** Destination of the button; null disables it. */
  readonly to: 'sign-in' | 'subscription' | null;
  readonly href: string;
}

export function planButton(plan: Plan, viewer: PlanViewer): PlanButton | null {
  const { current, account, period, offers, isGift = false } = viewer;
  // No plan for sale is better than House.
  if (plan.isFree || current === 'house') return null;
  if (current === null) return { label: 'Sign in to continue', to: 'sign-in', href: '/sign-in' };
  const offer = offers.find((name) => name === `${plan.level}_${period}`);
  // The current plan can be managed if anything is for sale, even if its own price no longer is.
  if (plan.level === current && offers.length > 0) return subscription('Manage Plan', { account });
  if (offer === undefined) return { label: 'Unavailable', to: null, href: '' };
  if (current === 'free') return subscription('Unlock This Plan', { plan: offer, account });
  return subscription(`Switch to ${plan.name}`, { ...(isGift && { plan: offer }), account });
}

interface Payment {
  readonly plan?: string;
  readonly account: string | undefined;
}

const subscription = (label: string, payment: Payment): PlanButton => ({
  label,
  to: 'subscription',
  href: paymentAddress(payment),
});

/** It names the account that the page shows: the cookie may meanwhile be that of another one. */
export function paymentAddress({ plan, account }: Payment): string {
  const query = new URLSearchParams({ ...(plan !== undefined && { plan }), ...(account !== undefined && { account }) });
  return query.size === 0 ? subscriptionPath : `${subscriptionPath}?${query.toString()}`;
}
