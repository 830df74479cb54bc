import type { Plan } from '@holdfast/contract/src/plans.ts';
import { planFacts } from './plan-facts.ts';

export function PlanFacts({ plan }: { readonly plan: Plan }) {
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
