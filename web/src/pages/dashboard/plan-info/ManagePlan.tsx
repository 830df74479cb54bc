import type { AccountInfo } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import { subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { ButtonAnchor } from '../../../ui/ButtonLink.tsx';

/** There is nothing to manage on Free: it leads to the plans instead. */
export function ManagePlan({ level }: Pick<AccountInfo, 'level'>) {
  if (level !== 'Free') return <ButtonAnchor href={subscriptionPath}>Manage Plan</ButtonAnchor>;
  return (
    <Link
      to="/plan-pricing"
      className="text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong touch:py-3"
    >
      Need more account space?
    </Link>
  );
}
