import type { Account } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '../../../api/account/account.ts';
import { useTimeZone } from '../../../api/account/settings.ts';
import { UsageMeters } from '../../../components/UsageMeters.tsx';
import { exactTime } from '../../../lib/time.ts';
import { Card } from '../../../ui/Card.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { textLink } from '../../../ui/text-link.ts';
import { ApiKey } from './ApiKey.tsx';
import { KeyInForm } from './KeyInForm.tsx';
import { UseKey } from './UseKey.tsx';

export function AccountInfoPage() {
  const { data: account } = useAccount();
  if (!account) return null;
  return (
    <>
      <PageTitle>Account Info</PageTitle>
      <div className="mt-5 grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="divide-y divide-line">
          <KeyOf account={account} />
          {account.info.api_key !== '' && <UseKey />}
          <div className="px-4 py-4 sm:px-5">
            <KeyInForm allowed={account.key_in_form === true} />
          </div>
        </Card>
        <Card className="divide-y divide-line">
          <Identity info={account.info} />
          <PlanInShort account={account} />
        </Card>
      </div>
    </>
  );
}

function KeyOf({ account: { info, key_last_used } }: { readonly account: Account }) {
  const timeZone = useTimeZone();
  return (
    <section aria-labelledby="api-key" className="px-4 pt-4 pb-5 sm:px-5">
      <Head
        title={
          <h2 id="api-key" className="text-title-s font-semibold">
            API key
          </h2>
        }
        link={
          <Link to="/dashboard/change-api" className={headLink}>
            Change API
          </Link>
        }
      />
      <div className="mt-1">{info.api_key === '' ? <LostKey /> : <ApiKey value={info.api_key} />}</div>
      {key_last_used !== undefined && (
        <p className="mt-1 text-s text-muted">
          Last used:{' '}
          <span className="text-ink">
            <RelativeTime at={key_last_used} timeZone={timeZone} />
          </span>
        </p>
      )}
    </section>
  );
}

/** Shown in place of a key that the server can no longer show. */
function LostKey() {
  return (
    <>
      Your key works, but it can no longer be shown here.{' '}
      <Link to="/dashboard/change-api" className={textLink}>
        Make a new one
      </Link>{' '}
      to see it.
    </>
  );
}

function Identity({ info: { email, time_created } }: Pick<Account, 'info'>) {
  const timeZone = useTimeZone();
  return (
    <dl className="grid gap-4 px-4 py-4 sm:px-5">
      <div>
        <dt className="text-s text-muted">Email</dt>
        <dd className="break-words">{email}</dd>
      </div>
      <div>
        <dt className="text-s text-muted">Created</dt>
        <dd>
          <time dateTime={time_created}>{exactTime(time_created, timeZone)}</time>
        </dd>
      </div>
    </dl>
  );
}

function PlanInShort({ account: { info, usage, limits } }: { readonly account: Account }) {
  return (
    <section aria-labelledby="plan" className="px-4 pt-3 pb-5 sm:px-5">
      <Head
        title={
          <h2 id="plan">
            <span className="text-s text-muted">Plan</span>{' '}
            <span className="block text-title-s font-semibold">{info.level}</span>
          </h2>
        }
        link={
          <Link to="/dashboard/plan-info" className={headLink}>
            Plan Info
          </Link>
        }
      />
      <div className="mt-4">
        <UsageMeters usage={usage} limits={limits} />
      </div>
    </section>
  );
}

function Head({ title, link }: { readonly title: ReactNode; readonly link: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4">
      {title}
      {link}
    </div>
  );
}

const headLink =
  'inline-flex min-h-control items-center text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong';
