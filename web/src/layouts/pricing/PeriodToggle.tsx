import { type BillingPeriod, billingPeriods } from '@holdfast/contract/src/plans.ts';
import { useId } from 'react';

export interface PeriodToggleProps {
  readonly period: BillingPeriod;
  readonly onChange: (period: BillingPeriod) => void;
}

export function PeriodToggle({ period, onChange }: PeriodToggleProps) {
  const group = useId();
  return (
    <fieldset className="inline-flex w-fit rounded-m border border-line bg-surface p-0.5">
      <legend className="sr-only">Billing period</legend>
      {billingPeriods.map((each) => (
        <label key={each} className={option}>
          <input
            type="radio"
            name={group}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[6px]"
            checked={period === each}
            onChange={() => onChange(each)}
          />
          {names[each]}
        </label>
      ))}
    </fieldset>
  );
}

const names = { monthly: 'Monthly', yearly: 'Yearly' } satisfies Record<BillingPeriod, string>;
const option =
  'relative grid min-h-8 min-w-24 place-items-center rounded-[6px] px-4 text-m text-muted hover:text-ink has-checked:bg-sea-wash has-checked:font-medium has-checked:text-ink phone:min-h-11';
