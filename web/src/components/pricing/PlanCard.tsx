import type { BillingPeriod, Plan, PublicLevel } from '@holdfast/contract/src/plans.ts';
import { clsx } from 'clsx';
import { keepUploads } from '../../api/upload/upload-guard.ts';
import { plans } from '../../lib/plans.ts';
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx';
import { type PlanViewer, type PlanButton, planButton } from './plan-button.ts';
import { planFacts } from './plan-facts.ts';
import { formatPrice, savedPercent } from './price.ts';

export interface PlanCardProps {
  readonly plan: Plan;
  /** The plan before it: what differs from that one is bold. */
  readonly smaller: PublicLevel | undefined;
  readonly buyer: PlanViewer;
  readonly isRecommended: boolean;
}

export function PlanCard({ plan, smaller, buyer, isRecommended }: PlanCardProps) {
  const isCurrent = plan.level === buyer.current;
  const button = planButton(plan, buyer);
  return (
    <li
      aria-current={isCurrent || undefined}
      className={clsx(card, isCurrent || isRecommended ? 'border-sea' : 'border-line')}
    >
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h3 className="font-semibold">{plan.name}</h3>
        {(isCurrent || isRecommended) && (
          <span className="rounded-full bg-sea-wash px-2.5 py-0.5 text-s font-medium whitespace-nowrap text-ink">
            {isCurrent ? 'Current plan' : 'Recommended'}
          </span>
        )}
      </div>
      <PlanPrice plan={plan} period={buyer.period} />
      <div className="empty:hidden xl:order-last xl:mt-auto">
        {button && <PlanAction button={button} plan={plan.name} isPrimary={isRecommended} />}
      </div>
      <PlanFacts plan={plan} smaller={smaller} />
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
  readonly isPrimary: boolean;
}

function PlanAction({ button: { label, to, href }, plan, isPrimary }: PlanActionProps) {
  const variant = isPrimary ? 'primary' : 'secondary';
  const inWords = label.includes(plan) ? label : <Labeled label={label} plan={plan} />;
  if (to === null)
    return (
      <Button disabled className="w-full">
        {inWords}
      </Button>
    );
  if (to === 'sign-in')
    return (
      <ButtonLink to="/sign-in" state={{ from: '/plan-pricing' }} variant={variant} className="w-full">
        {inWords}
      </ButtonLink>
    );
  return (
    <ButtonAnchor href={href} onClick={keepUploads} variant={variant} className="w-full">
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

function PlanFacts({ plan, smaller }: Pick<PlanCardProps, 'plan' | 'smaller'>) {
  const before = smaller && planFacts(plans[smaller]);
  return (
    <dl className="grid grid-cols-2 content-start gap-x-4 gap-y-3 border-t border-line pt-4 md:max-xl:col-start-2 md:max-xl:row-span-3 md:max-xl:row-start-1 md:max-xl:grid-cols-3 md:max-xl:border-t-0 md:max-xl:border-l md:max-xl:pt-0 md:max-xl:pl-8 xl:grid-cols-1">
      {planFacts(plan).map(({ name, value, aside }, index) => (
        <div key={name}>
          <dt className="text-s text-muted">{name}</dt>
          <dd className={clsx('figures text-m', before && before[index]?.value !== value && 'font-semibold')}>
            {value}
            {aside !== undefined && (
              <span className="text-s leading-none font-normal text-muted max-md:block max-md:leading-5">
                {' '}
                ({aside})
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const card =
  'grid gap-y-4 rounded-m border bg-surface p-5 md:max-xl:grid-cols-[200px_minmax(0,1fr)] md:max-xl:grid-rows-[auto_auto_1fr] md:max-xl:gap-x-8 xl:row-span-4 xl:grid-rows-subgrid';
