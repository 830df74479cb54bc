import type { Account, AccountLimits } from '@holdfast/contract/src/account.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { nothingForSale } from '../../../components/pricing/nothing-for-sale.ts';
import { useAccount } from '../../../api/account/account.ts';
import { OverQuotaNote } from '../../../components/OverQuotaNote.tsx';
import { UsageMeters } from '../../../components/UsageMeters.tsx';
import { formatSizeLimit, formatSpeedLimit } from '../../../lib/format.ts';
import { site } from '../../../lib/site.ts';
import { Card } from '../../../ui/Card.tsx';
import { FactRow, Facts } from '../../../ui/Facts.tsx';
import { Note } from '../../../ui/Note.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
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
      <Card className="mt-5">
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
      <Note className="mt-5">
        <p className="font-medium">{nothingForSale.title}</p>
        <p>{nothingForSale.body}</p>
      </Note>
    </div>
  );
}

/** Without those that the usage is measured against. */
function Limits({ limits }: { readonly limits: AccountLimits }) {
  return (
    <Facts>
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
    <section aria-labelledby="usage" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="usage" className="text-title-s font-semibold">
          Usage
        </h2>
        <Link to="/dashboard/usage" className={usageLink}>
          Usage and activity
        </Link>
      </div>
      <Card className="mt-1 px-4 py-5 sm:px-5">
        <UsageMeters usage={usage} limits={limits} />
      </Card>
    </section>
  );
}

const usageLink =
  'inline-flex min-h-control items-center text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong';
