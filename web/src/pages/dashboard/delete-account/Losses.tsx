import type { Account, Subscription } from '@holdfast/contract/src/account.ts';
import { TriangleAlert } from 'lucide-react';
import { formatFiles, formatSize } from '../../../lib/format.ts';

export interface LossesProps {
  readonly account: Account;
  /** What is paid for; null where that is nothing, undefined until it is known. */
  readonly subscription: Subscription | null | undefined;
}

/** What goes with the account, counted. */
export function Losses({ account: { info, usage }, subscription }: LossesProps) {
  return (
    <div id="losses" className="flex gap-2.5 rounded-m bg-danger-wash px-3 py-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0">
        <p className="font-medium">
          This deletes <span className="wrap-anywhere">{info.email}</span> at once:
        </p>
        <ul className="mt-1 list-disc pl-5">
          <li>
            {usage.slots_used === 0
              ? 'no files: there are none in it'
              : `${formatFiles(usage.slots_used)}, ${formatSize(usage.space_used)} in all, and every link to them`}
          </li>
          <li>the account with its settings and its API key; every browser is signed out</li>
          <LostPlan level={info.level} subscription={subscription} />
        </ul>
      </div>
    </div>
  );
}

interface LostPlanProps extends Pick<LossesProps, 'subscription'> {
  readonly level: Account['info']['level'];
}

/** A plan may be the operator's gift, and a subscription whose payment failed may give none. */
function LostPlan({ level, subscription }: LostPlanProps) {
  // Until it is known, a plan is taken for a paid one.
  if (subscription || (subscription === undefined && level !== 'Free'))
    return <li>the {subscription?.level ?? level} subscription, without a refund for the time that is left</li>;
  return level === 'Free' ? null : <li>the {level} plan, which the operator of this site gave you</li>;
}
