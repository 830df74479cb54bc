import { Link } from '@tanstack/react-router';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { useAccount } from '../../../api/account/account.ts';
import { OverQuotaNote } from '../../../components/OverQuotaNote.tsx';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { formatCount, formatMegabytes, formatPercent, share } from '../../../lib/format.ts';
import { site } from '../../../lib/site.ts';
import { Tile, Tiles } from '../../../ui/Tiles.tsx';
import { Activity } from './Activity.tsx';

export function UsagePage() {
  const { data: account } = useAccount();
  if (!account) return null;
  const { usage, limits } = account;
  const space = share(usage.space_used, limits.space_quota);
  const slots = share(usage.slots_used, limits.slots_quota);
  const isSpaceLimited = limits.space_quota < unlimited;
  const areSlotsLimited = limits.slots_quota < unlimited;
  return (
    <>
      <SubpageTitle to="/dashboard/plan-info" overview="Plan Info">
        Usage
      </SubpageTitle>
      <OverQuotaNote account={account} />
      <div className="mt-5">
        <Tiles>
          <Tile
            label="Space used"
            value={formatMegabytes(usage.space_used)}
            detail={isSpaceLimited ? `of ${formatMegabytes(limits.space_quota)}` : 'of unlimited space'}
          />
          {isSpaceLimited ? (
            <Tile label="Quota used" value={formatPercent(space)} detail="of the account's space" share={space} />
          ) : (
            <Tile label="Quota" value="Unlimited" detail="for the account's space" />
          )}
          <Tile
            label="Files"
            value={formatCount(usage.slots_used)}
            detail={areSlotsLimited ? `of ${formatCount(limits.slots_quota)} slots` : 'of unlimited slots'}
          />
          {areSlotsLimited ? (
            <Tile label="Slots used" value={formatPercent(slots)} detail="of the account's slots" share={slots} />
          ) : (
            <Tile label="Slots" value="Unlimited" detail="for the account's files" />
          )}
        </Tiles>
      </div>
      {isSpaceLimited && site.pricing && (
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
