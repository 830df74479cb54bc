import { useAccount } from '../../../api/session.ts';
import { useTimeZone } from '../../../api/settings.ts';
import { exactTime } from '../../../lib/time.ts';
import { Card } from '../../../ui/Card.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ApiKey } from './ApiKey.tsx';
import { LostKey } from './LostKey.tsx';

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
          <Fact name="Email">{email}</Fact>
          <Fact name="Created">
            <time dateTime={time_created}>{exactTime(time_created, timeZone)}</time>
          </Fact>
          <Fact name="API key">{api_key === '' ? <LostKey /> : <ApiKey value={api_key} />}</Fact>
        </Facts>
      </Card>
    </>
  );
}
