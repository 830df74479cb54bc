import type { BillingPeriod, Plan } from '@holdfast/contract/src/plans.ts';

type Prices = Pick<Plan, 'monthlyCents' | 'yearlyCents'>;

/** `99` cents → `$0.99`; zero → `$0`. */
export function formatPrice(plan: Prices, period: BillingPeriod): string {
  const cents = period === 'monthly' ? plan.monthlyCents : plan.yearlyCents;
  return cents === 0 ? '$0' : `$${(cents / 100).toFixed(2)}`;
}

/** Saving of yearly over 12 monthly payments, in whole percent; 0 if there is none. */
export function savedPercent({ monthlyCents, yearlyCents }: Prices): number {
  const payments = 12 * monthlyCents;
  return payments > yearlyCents ? Math.round((1 - yearlyCents / payments) * 100) : 0;
}
