import { Link } from '@tanstack/react-router';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { useAccount } from '../../../api/account/account.ts';
import { OverQuotaNote } from '../../../components/OverQuotaNote.tsx';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { UsageMeters } from '../../../components/UsageMeters.tsx';
import { site } from '../../../lib/site.ts';
import { Card } from '../../../ui/Card.tsx';
import { Activity } from './Activity.tsx';

export function UsagePage() {
  const { data: account } = useAccount();
  if (!account) return null;
  return (
    <>
      <SubpageTitle to="/dashboard/plan-info" overview="Plan Info">
        Usage
      </SubpageTitle>
      <OverQuotaNote account={account} />
      <Card className="mt-5 px-4 py-5 sm:px-5">
        <UsageMeters usage={account.usage} limits={account.limits} inMegabytes />
      </Card>
      {account.limits.space_quota < unlimited && site.pricing && (
        <Link
          to="/plan-pricing"
          className="mt-3 inline-flex min-h-control items-center text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong"
        >
          Need more account space?
        </Link>
      )}
      <Activity />
    </>
  );
}
