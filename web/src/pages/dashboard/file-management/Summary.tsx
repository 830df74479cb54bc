import type { Account } from '@holdfast/contract/src/account.ts';
import type { FileList } from '@holdfast/contract/src/files.ts';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { useAccount } from '../../../api/account/account.ts';
import {
  formatCount,
  formatPercent,
  formatSize,
  formatSizeLimit,
  formatSpeedLimit,
  share,
} from '../../../lib/format.ts';
import { Tile, type TileProps, Tiles } from '../../../ui/Tiles.tsx';

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
  return (
    <Tiles>
      <Tile
        label="Used Space"
        value={formatSize(usage.space_used)}
        {...shareOf('space', usage.space_used, limits.space_quota, formatSize)}
      />
      <Tile
        label="Used Slots"
        value={formatCount(usage.slots_used)}
        {...shareOf('slots', usage.slots_used, limits.slots_quota, formatCount)}
      />
      <Tile label="Max File Size" value={formatSizeLimit(limits.max_file_size)} detail="for each upload" />
      <Tile
        label="Max Download Speed"
        value={formatSpeedLimit(limits.max_file_download_speed)}
        detail="for each download"
      />
    </Tiles>
  );
}

/** The used part of a quota, or that there is none. */
function shareOf(
  what: string,
  used: number,
  quota: number,
  format: (amount: number) => string,
): Pick<TileProps, 'share' | 'detail'> {
  if (quota >= unlimited) return { detail: `of unlimited ${what}` };
  const part = share(used, quota);
  return { share: part, detail: `${formatPercent(part)} of ${format(quota)}` };
}
