import type { BillingPeriod, Plan } from '@holdfast/contract/src/plans.ts';
import { clsx } from 'clsx';
import { keepUploads } from '../../api/upload/upload-guard.ts';
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx';
import { type PlanViewer, type PlanButton, planButton } from './plan-button.ts';
import { planFacts } from './plan-facts.ts';
import { formatPrice, savedPercent } from './price.ts';

export interface PlanCardProps {
  readonly plan: Plan;
  readonly buyer: PlanViewer;
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
      {/* The Free card reserves this space too, so that the facts of all cards align. */}
      <div className="min-h-control max-md:empty:hidden">
        {button && <PlanAction button={button} plan={plan.name} />}
      </div>
      <PlanFacts plan={plan} />
    </li>
  );
}

interface PlanPriceProps {
  readonly plan: Plan;
  readonly period: BillingPeriod;
}

function PlanPrice({ plan, period }: PlanPriceProps) {
  const saved = period === 'yearly' ? savedPercent(plan) : 0;
  return (
    <div>
      <p className="flex items-baseline gap-1.5">
        <span className="figures text-[28px] leading-8 font-medium tracking-[-0.04em]">
          {formatPrice(plan, period)}
        </span>
        <span className="text-s whitespace-nowrap text-muted">{priceNote(plan, period)}</span>
      </p>
      <p className="min-h-5 text-s text-muted">
        {saved > 0 && <span className="font-medium text-sea">save {saved}%</span>}
        {period === 'monthly' && !plan.isFree && `or ${formatPrice(plan, 'yearly')} a year`}
      </p>
    </div>
  );
}

function priceNote({ isFree }: Plan, period: BillingPeriod): string {
  if (isFree) return 'forever';
  return period === 'monthly' ? 'a month' : 'a year';
}

interface PlanActionProps {
  readonly button: PlanButton;
  readonly plan: string;
}

function PlanAction({ button: { label, to, href }, plan }: PlanActionProps) {
  const inWords = label.includes(plan) ? label : <Labeled label={label} plan={plan} />;
  if (to === null)
    return (
      <Button disabled className="w-full">
        {inWords}
      </Button>
    );
  if (to === 'sign-in')
    return (
      <ButtonLink to="/sign-in" state={{ from: '/plan-pricing' }} className="w-full">
        {inWords}
      </ButtonLink>
    );
  return (
    <ButtonAnchor
      href={href}
      onClick={keepUploads}
      variant={label === 'Unlock This Plan' ? 'primary' : 'secondary'}
      className="w-full"
    >
      {inWords}
    </ButtonAnchor>
  );
}

function Labeled({ label, plan }: { readonly label: string; readonly plan: string }) {
  return (
    <span>
      {label}
      <span className="sr-only"> ({plan})</span>
    </span>
  );
}

function PlanFacts({ plan }: { readonly plan: Plan }) {
  return (
    <dl className="grid grid-cols-2 content-start gap-x-4 gap-y-3 border-t border-line pt-4 md:grid-cols-1">
      {planFacts(plan).map(({ name, value, aside }) => (
        <div key={name}>
          <dt className="text-s text-muted">{name}</dt>
          <dd className="figures text-m">
            {value}
            {aside !== undefined && (
              <span className="text-s leading-none text-muted max-md:block max-md:leading-5"> ({aside})</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const card =
  'row-span-4 grid grid-rows-subgrid gap-y-4 rounded-m border bg-surface p-5 md:col-span-2 md:nth-[n+4]:col-span-3 xl:col-span-1 xl:nth-[n+4]:col-span-1';
