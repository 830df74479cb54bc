import { planLevels, plans } from '@holdfast/contract/src/plans.ts';
import { formatPrice } from '../../../layouts/pricing/price.ts';
import type { NamedSubscription } from './plan-state.ts';

/** `$29.99 a year.` */
export function Price({ subscription: { level, period } }: { readonly subscription: NamedSubscription }) {
  const plan = planLevels.map((each) => plans[each]).find(({ name }) => name === level);
  if (!plan) return null;
  return (
    <>
      <span className="figures text-ink">{formatPrice(plan, period)}</span>{' '}
      {period === 'monthly' ? 'a month' : 'a year'}.
    </>
  );
}
