import { Note } from '../../../ui/Note.tsx';
import { Day } from './Day.tsx';
import type { StateProps } from './state-props.ts';

/** What a failed payment means, until when it can be made up for, and where. */
export function UnpaidTerms({ state, level }: StateProps<'past-due' | 'lapsed'>) {
  const { subscription, better, until } = state;
  const stays = better ? `${level}, which the operator of this site gave you, stays.` : 'Your files stay.';
  if (state.kind === 'past-due')
    return (
      <Note tone="warning">
        <p className="font-medium">The last payment for {subscription.level} failed</p>
        <p>
          You keep the plan until <Day of={until} />, and the payment is tried again. If it does not succeed by then,{' '}
          {better ? 'that plan is over.' : 'you have the limits of Free.'} {stays} ‘Manage Plan’ leads to where you can
          pay or change the card.
        </p>
      </Note>
    );
  return (
    <Note tone="warning">
      <p className="font-medium">{subscription.level} is not paid</p>
      <p>
        {subscription.grace_ends === null ? (
          <>
            What you paid for ended on <Day of={until} />, and no payment after it is known here.
          </>
        ) : (
          <>
            The payment failed, and the days to make up for it ended on <Day of={until} />.
          </>
        )}{' '}
        {level !== subscription.level && `Until it is paid you have the limits of ${level}. `}
        {stays} ‘Manage Plan’ leads to where you can pay or cancel.
      </p>
    </Note>
  );
}
