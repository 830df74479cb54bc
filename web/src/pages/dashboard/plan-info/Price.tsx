import type { Subscription } from '@holdfast/contract/src/account.ts';
import { planLevels, plans } from '@holdfast/contract/src/plans.ts';
import { formatPrice } from '../../../layouts/pricing/price.ts';

/** `$29.99 a year.` */
export function Price({ subscription: { level, period } }: { readonly subscription: Subscription }) {
  const plan = planLevels.map((each) => plans[each]).find(({ name }) => name === level);
  if (!plan) return null;
  return (
    <>
      <span className="figures text-ink">{formatPrice(plan, period)}</span>{' '}
      {period === 'monthly' ? 'a month' : 'a year'}.
    </>
  );
}
