import type { Account } from '@holdfast/contract/src/account.ts';
import { useAccount } from '../../../api/session.ts';
import { NoRoom } from '../../../layouts/dashboard/NoRoom.tsx';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { Card } from '../../../ui/Card.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { Limits } from './Limits.tsx';
import { ManagePlan } from './ManagePlan.tsx';
import { UsedShare } from './UsedShare.tsx';

export function PlanInfoPage() {
  const { data: account } = useAccount();
  if (!account) return null;
  return (
    <>
      <PageTitle>Plan Info</PageTitle>
      <NoRoom account={account} />
      <Card className="mt-5 max-w-3xl">
        <CurrentPlan account={account} />
        <Limits limits={account.limits} />
      </Card>
      <Usage account={account} />
    </>
  );
}

function CurrentPlan({ account }: { readonly account: Account }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-4 sm:px-5">
      <div>
        <p className="text-s text-muted">Current plan</p>
        <p className="text-title-s font-semibold">{account.info.level}</p>
      </div>
      <ManagePlan level={account.info.level} />
    </div>
  );
}

function Usage({ account: { usage, limits } }: { readonly account: Account }) {
  return (
    <section aria-labelledby="usage" className="mt-8 max-w-3xl">
      <h2 id="usage" className="text-title-s font-semibold">
        Usage
      </h2>
      <Card className="mt-3 divide-y divide-line">
        <UsedShare name="Space" used={usage.space_used} quota={limits.space_quota} format={formatSize} />
        <UsedShare name="Slots" used={usage.slots_used} quota={limits.slots_quota} format={formatCount} />
      </Card>
    </section>
  );
}
