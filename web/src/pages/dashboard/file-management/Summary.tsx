import type { Account } from '@holdfast/contract/src/account.ts';
import type { FileList } from '@holdfast/contract/src/files.ts';
import { useAccount } from '../../../api/account/account.ts';
import { formatCount, formatPercent, formatSize, formatSpeedLimit, share } from '../../../lib/format.ts';
import { Tile, Tiles } from '../../../ui/Tiles.tsx';

/** Shows the usage from the list, which is as new as the rows. Without a list it shows the usage from the account. */
export function UsageSummary({ list }: { readonly list: FileList | undefined }) {
  const { data: account } = useAccount();
  const usage = list?.account_usage ?? account?.usage;
  const limits = list?.account_limits ?? account?.limits;
  if (!usage || !limits) return null;
  return (
    <div className="mt-5">
      <Figures usage={usage} limits={limits} />
    </div>
  );
}

function Figures({ usage, limits }: Pick<Account, 'usage' | 'limits'>) {
  const space = share(usage.space_used, limits.space_quota);
  const slots = share(usage.slots_used, limits.slots_quota);
  return (
    <Tiles>
      <Tile
        label="Used Space"
        value={formatSize(usage.space_used)}
        share={space}
        detail={`${formatPercent(space)} of ${formatSize(limits.space_quota)}`}
      />
      <Tile
        label="Used Slots"
        value={formatCount(usage.slots_used)}
        share={slots}
        detail={`${formatPercent(slots)} of ${formatCount(limits.slots_quota)}`}
      />
      <Tile label="Max File Size" value={formatSize(limits.max_file_size)} detail="for each upload" />
      <Tile
        label="Max Download Speed"
        value={formatSpeedLimit(limits.max_file_download_speed)}
        detail="for each download"
      />
    </Tiles>
  );
}
