import type { Plan } from '@holdfast/contract/src/plans.ts';
import { clsx } from 'clsx';
import { type Buyer, planButton } from './plan-button.ts';
import { PlanAction } from './PlanAction.tsx';
import { PlanFacts } from './PlanFacts.tsx';
import { PlanPrice } from './PlanPrice.tsx';

export interface PlanCardProps {
  readonly plan: Plan;
  readonly buyer: Buyer;
}

export function PlanCard({ plan, buyer }: PlanCardProps) {
  const isCurrent = plan.level === buyer.current;
  const button = planButton(plan, buyer);
  return (
    <li aria-current={isCurrent || undefined} className={clsx(card, isCurrent ? 'border-sea' : 'border-line')}>
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h3 className="font-semibold">{plan.name}</h3>
        {isCurrent && (
          <span className="rounded-full bg-sea-wash px-2.5 py-0.5 text-s font-medium whitespace-nowrap text-ink">
            Current plan
          </span>
        )}
      </div>
      <PlanPrice plan={plan} period={buyer.period} />
      {/* Free keeps the room, so that its facts stand beside the others'. */}
      <div className="min-h-control max-md:empty:hidden">
        {button && <PlanAction button={button} plan={plan.name} />}
      </div>
      <PlanFacts plan={plan} />
    </li>
  );
}

const card =
  'row-span-4 grid grid-rows-subgrid gap-y-4 rounded-m border bg-surface p-5 md:col-span-2 md:nth-[n+4]:col-span-3 xl:col-span-1 xl:nth-[n+4]:col-span-1';
