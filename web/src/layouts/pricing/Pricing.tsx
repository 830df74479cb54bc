import { type BillingPeriod, planLevels, plans } from '@holdfast/contract/src/plans.ts';
import { useState } from 'react';
import { useAccount } from '../../api/session.ts';
import { site } from '../../lib/site.ts';
import { PeriodToggle } from './PeriodToggle.tsx';
import type { Buyer } from './plan-button.ts';
import { PlanCard } from './PlanCard.tsx';

/** The plans side by side, with what each reader can do about them. */
export function Pricing({ isGift = false }: Pick<Buyer, 'isGift'>) {
  const { data: account } = useAccount();
  const [period, setPeriod] = useState<BillingPeriod>('monthly');
  const current = planLevels.find((level) => plans[level].name === account?.info.level) ?? null;
  return (
    <>
      <PeriodToggle period={period} onChange={setPeriod} />
      {/* The rows of all cards are those of the list, so that equal facts stand side by side. */}
      <ul aria-label="Plans" className="mt-6 grid gap-x-3 gap-y-4 md:grid-cols-6 xl:grid-cols-5">
        {planLevels.map((level) => (
          <PlanCard key={level} plan={plans[level]} buyer={{ current, period, offers: site.offers, isGift }} />
        ))}
      </ul>
    </>
  );
}
