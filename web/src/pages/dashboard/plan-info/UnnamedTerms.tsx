import { ReachUs } from '../../../layouts/ReachUs.tsx';
import { Note } from '../../../ui/Note.tsx';

/** Somebody pays and gets nothing for it, until the operator sees to it, who is told by the log too. */
export function UnnamedTerms() {
  return (
    <Note tone="warning">
      <p className="font-medium">You pay for something that is none of the plans here</p>
      <p>
        You have a subscription, but its price is not that of any plan of this site, so it does not change your limits.
        Ask the operator which plan it is for. ‘Manage Plan’ leads to where you can change or cancel it. <ReachUs />
      </p>
    </Note>
  );
}
