import { Day } from './Day.tsx';
import { Price } from './Price.tsx';
import type { StateProps } from './state-props.ts';

export function PaidTerms({ state, level }: StateProps<'renewing' | 'ending'>) {
  const { subscription, better } = state;
  return (
    <>
      <p>
        <Price subscription={subscription} />{' '}
        {state.kind === 'renewing' ? (
          <>
            Renews on <Day of={subscription.period_ends} />.
          </>
        ) : (
          <>
            <span className="font-medium text-ink">
              Ends on <Day of={subscription.period_ends} />.
            </span>{' '}
            It is not renewed{better ? '.' : ': from then on you have the limits of Free. Your files stay.'}
          </>
        )}
      </p>
      {better && (
        <p>
          That is for {subscription.level}, which you pay for. The operator of this site gave you {level}, which stays.
        </p>
      )}
    </>
  );
}
