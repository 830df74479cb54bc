import type { Account } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import { useAccount } from '../../../api/session.ts';
import { NoRoom } from '../../../layouts/dashboard/NoRoom.tsx';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { Card } from '../../../ui/Card.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { AfterPaying } from './AfterPaying.tsx';
import { CurrentPlan } from './CurrentPlan.tsx';
import { Limits } from './Limits.tsx';
import { UsedShare } from './UsedShare.tsx';

export function PlanInfoPage() {
  const { data: account } = useAccount();
  if (!account) return null;
  return (
    <>
      <PageTitle>Plan Info</PageTitle>
      <AfterPaying />
      <NoRoom account={account} />
      <Card className="mt-5 max-w-3xl">
        <CurrentPlan level={account.info.level} />
        <Limits limits={account.limits} />
      </Card>
      <Usage account={account} />
    </>
  );
}

function Usage({ account: { usage, limits } }: { readonly account: Account }) {
  return (
    <section aria-labelledby="usage" className="mt-8 max-w-3xl">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="usage" className="text-title-s font-semibold">
          Usage
        </h2>
        <Link to="/dashboard/usage" className={wayOn}>
          Usage in detail
        </Link>
      </div>
      <Card className="mt-1 divide-y divide-line">
        <UsedShare name="Space" used={usage.space_used} quota={limits.space_quota} format={formatSize} />
        <UsedShare name="Slots" used={usage.slots_used} quota={limits.slots_quota} format={formatCount} />
      </Card>
    </section>
  );
}

const wayOn =
  'inline-flex min-h-control items-center text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong';
