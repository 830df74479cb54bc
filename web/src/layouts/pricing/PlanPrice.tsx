import type { BillingPeriod, Plan } from '@holdfast/contract/src/plans.ts';
import { formatPrice, savedPercent } from './price.ts';

export interface PlanPriceProps {
  readonly plan: Plan;
  readonly period: BillingPeriod;
}

export function PlanPrice({ plan, period }: PlanPriceProps) {
  const saved = period === 'yearly' ? savedPercent(plan) : 0;
  return (
    <div>
      <p className="flex items-baseline gap-1.5">
        <span className="figures text-[28px] leading-8 font-medium tracking-[-0.04em]">
          {formatPrice(plan, period)}
        </span>
        <span className="text-s whitespace-nowrap text-muted">{note(plan, period)}</span>
      </p>
      <p className="min-h-5 text-s text-muted">
        {saved > 0 && <span className="font-medium text-sea">save {saved}%</span>}
        {period === 'monthly' && !plan.isFree && `or ${formatPrice(plan, 'yearly')} a year`}
      </p>
    </div>
  );
}

function note({ isFree }: Plan, period: BillingPeriod): string {
  if (isFree) return 'for ever';
  return period === 'monthly' ? 'a month' : 'a year';
}
