import type { AccountInfo } from '@holdfast/contract/src/account.ts';
import { subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { ButtonAnchor, ButtonLink } from '../../../ui/ButtonLink.tsx';

export interface ManagePlanProps extends Pick<AccountInfo, 'level'> {
  /** Whether there is a subscription, be it one whose payment failed so long ago that the account is on Free. */
  readonly subscribed: boolean;
}

/** There is mostly no subscription to manage on Free: it leads to the plans instead. */
export function ManagePlan({ level, subscribed }: ManagePlanProps) {
  if (level === 'Free' && !subscribed) return <ButtonLink to="/plan-pricing">Manage Plan</ButtonLink>;
  return <ButtonAnchor href={subscriptionPath}>Manage Plan</ButtonAnchor>;
}
