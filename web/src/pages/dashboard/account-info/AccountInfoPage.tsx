import { Link } from '@tanstack/react-router';
import { useAccount } from '../../../api/account/account.ts';
import { useTimeZone } from '../../../api/account/settings.ts';
import { exactTime } from '../../../lib/time.ts';
import { Card } from '../../../ui/Card.tsx';
import { FactRow, Facts } from '../../../ui/Facts.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { textLink } from '../../../ui/text-link.ts';
import { ApiKey } from './ApiKey.tsx';
import { KeyInForm } from './KeyInForm.tsx';

export function AccountInfoPage() {
  const { data: account } = useAccount();
  const timeZone = useTimeZone();
  if (!account) return null;
  const { email, time_created, api_key } = account.info;
  return (
    <>
      <PageTitle>Account Info</PageTitle>
      <Card className="mt-5 max-w-3xl">
        <Facts>
          <FactRow name="Email">{email}</FactRow>
          <FactRow name="Created">
            <time dateTime={time_created}>{exactTime(time_created, timeZone)}</time>
          </FactRow>
          <FactRow name="API key">{api_key === '' ? <LostKey /> : <ApiKey value={api_key} />}</FactRow>
        </Facts>
      </Card>
      <Card className="mt-5 max-w-3xl px-4 py-4 sm:px-5">
        <KeyInForm allowed={account.key_in_form === true} />
      </Card>
    </>
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
