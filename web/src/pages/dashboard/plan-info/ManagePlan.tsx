import type { AccountInfo } from '@holdfast/contract/src/account.ts';
import { subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { ButtonAnchor, ButtonLink } from '../../../ui/ButtonLink.tsx';

/** There is no subscription to manage on Free: it leads to the plans instead. */
export function ManagePlan({ level }: Pick<AccountInfo, 'level'>) {
  if (level === 'Free') return <ButtonLink to="/plan-pricing">Manage Plan</ButtonLink>;
  return <ButtonAnchor href={subscriptionPath}>Manage Plan</ButtonAnchor>;
}
