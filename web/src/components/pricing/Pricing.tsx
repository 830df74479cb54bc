import { type BillingPeriod, billingPeriods, publicLevels } from '@holdfast/contract/src/plans.ts';
import { nothingForSale } from './nothing-for-sale.ts';
import { recommendedLevel } from './recommended-level.ts';
import { levelNamed, plans } from '../../lib/plans.ts';
import { useId, useState } from 'react';
import { useAccount } from '../../api/account/account.ts';
import { site } from '../../lib/site.ts';
import type { PlanViewer } from './plan-button.ts';
import { PlanCard } from './PlanCard.tsx';

export interface PricingProps extends Pick<PlanViewer, 'isGift'> {
  /** The page has said already why nothing is for sale. */
  readonly isExplained?: boolean;
}

export function Pricing({ isGift = false, isExplained = false }: PricingProps) {
  const { data: account } = useAccount();
  const [period, setPeriod] = useState<BillingPeriod>('monthly');
  const current = account ? levelNamed(account.info.level) : null;
  const buyer = { current, account: account?.id, period, offers: site.offers, isGift };
  const recommended = recommendedLevel(buyer);
  return (
    <>
      {site.offers.length === 0 && !isExplained && (
        <p className="mb-6 w-fit rounded-m bg-sea-wash px-3.5 py-2.5 text-m">
          <strong className="font-medium">{nothingForSale.title}.</strong> {nothingForSale.body}
        </p>
      )}
      <PeriodToggle period={period} onChange={setPeriod} />
      {/* The cards share the rows of the list (subgrid), so that matching facts align. */}
      <ul aria-label="Plans" className="mt-6 grid gap-x-3 gap-y-4 xl:grid-cols-5">
        {publicLevels.map((level, index) => (
          <PlanCard
            key={level}
            plan={plans[level]}
            smaller={publicLevels[index - 1]}
            buyer={buyer}
            isRecommended={level === recommended}
          />
        ))}
      </ul>
    </>
  );
}

interface PeriodToggleProps {
  readonly period: BillingPeriod;
  readonly onChange: (period: BillingPeriod) => void;
}

function PeriodToggle({ period, onChange }: PeriodToggleProps) {
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
