import type { Account, AccountLimits } from '@holdfast/contract/src/account.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { nothingForSale } from '../../../components/pricing/nothing-for-sale.ts';
import { useAccount } from '../../../api/account/account.ts';
import { OverQuotaNote } from '../../../components/OverQuotaNote.tsx';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import {
  formatCount,
  formatCountLimit,
  formatPercent,
  formatSizeLimit,
  formatSize,
  formatSpeedLimit,
  share,
} from '../../../lib/format.ts';
import { site } from '../../../lib/site.ts';
import { Card } from '../../../ui/Card.tsx';
import { FactRow, Facts } from '../../../ui/Facts.tsx';
import { Note } from '../../../ui/Note.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { CurrentPlan } from './CurrentPlan.tsx';
import { PaymentConfirmation } from './PaymentConfirmation.tsx';

const route = getRouteApi('/dashboard/plan-info');

export function PlanInfoPage() {
  const { data: account } = useAccount();
  if (!account) return null;
  return (
    <>
      <PageTitle>Plan Info</PageTitle>
      <PaymentConfirmation />
      {!site.pricing && <NotForSale />}
      <OverQuotaNote account={account} />
      <Card className="mt-5 max-w-3xl">
        <CurrentPlan level={account.info.level} account={account.id} />
        <Limits limits={account.limits} />
      </Card>
      <Usage account={account} />
    </>
  );
}

/** Shown after a link to a payment; with prices the pricing page explains it. */
function NotForSale() {
  const { problem } = route.useSearch();
  if (problem === undefined) return null;
  return (
    <div role="alert">
      <Note className="mt-5 max-w-3xl">
        <p className="font-medium">{nothingForSale.title}</p>
        <p>{nothingForSale.body}</p>
      </Note>
    </div>
  );
}

function Limits({ limits }: { readonly limits: AccountLimits }) {
  return (
    <Facts>
      <FactRow name="Account space">
        <span className="figures">{formatSizeLimit(limits.space_quota)}</span>
      </FactRow>
      <FactRow name="File slots">
        <span className="figures">{formatCountLimit(limits.slots_quota)}</span>
      </FactRow>
      <FactRow name="Max file size">
        <span className="figures">{formatSizeLimit(limits.max_file_size)}</span>
      </FactRow>
      <FactRow name="Max download speed">
        <span className="figures">{formatSpeedLimit(limits.max_file_download_speed)}</span>
      </FactRow>
    </Facts>
  );
}

function Usage({ account: { usage, limits } }: { readonly account: Account }) {
  return (
    <section aria-labelledby="usage" className="mt-8 max-w-3xl">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="usage" className="text-title-s font-semibold">
          Usage
        </h2>
        <Link to="/dashboard/usage" className={usageLink}>
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

const usageLink =
  'inline-flex min-h-control items-center text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong';

interface UsedShareProps {
  readonly name: string;
  readonly used: number;
  readonly quota: number;
  readonly format: (amount: number) => string;
}

function UsedShare({ name, used, quota, format }: UsedShareProps) {
  const part = share(used, quota);
  const isLimited = quota < unlimited;
  return (
    <div className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap justify-between gap-x-4">
        <p>
          {name} {isLimited && <span className="figures text-s text-muted">{formatPercent(part)}</span>}
        </p>
        <p className="figures text-s">
          {format(used)}{' '}
          <span className="text-muted">{isLimited ? `of ${format(quota)}` : `of unlimited ${name.toLowerCase()}`}</span>
        </p>
      </div>
      {isLimited && (
        <div className="mt-3">
          <ProgressBar value={part} label={`${name} used`} />
        </div>
      )}
    </div>
  );
}
