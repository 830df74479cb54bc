import { Button } from '../../ui/Button.tsx';
import { ButtonAnchor, ButtonLink } from '../../ui/ButtonLink.tsx';
import type { PlanButton } from './plan-button.ts';

export interface PlanActionProps {
  readonly button: PlanButton;
  /** Whose card it is on, for those who do not see the card. */
  readonly plan: string;
}

export function PlanAction({ button: { label, to, href }, plan }: PlanActionProps) {
  const inWords = label.includes(plan) ? label : <Labelled label={label} plan={plan} />;
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
    <ButtonAnchor href={href} variant={label === 'Unlock This Plan' ? 'primary' : 'secondary'} className="w-full">
      {inWords}
    </ButtonAnchor>
  );
}

function Labelled({ label, plan }: { readonly label: string; readonly plan: string }) {
  return (
    <span>
      {label}
      <span className="sr-only"> ({plan})</span>
    </span>
  );
}
