import type { BillingPeriod, Plan } from '@holdfast/contract/src/plans.ts';

type Prices = Pick<Plan, 'monthlyCents' | 'yearlyCents'>;

/** `99` cents → `$0.99`; nothing at all → `$0`. */
export function formatPrice(plan: Prices, period: BillingPeriod): string {
  const cents = period === 'monthly' ? plan.monthlyCents : plan.yearlyCents;
  return cents === 0 ? '$0' : `$${(cents / 100).toFixed(2)}`;
}

/** How much less a year costs than 12 payments, in whole percent; 0 where it costs no less. */
export function savedPercent({ monthlyCents, yearlyCents }: Prices): number {
  const payments = 12 * monthlyCents;
  return payments > yearlyCents ? Math.round((1 - yearlyCents / payments) * 100) : 0;
}
