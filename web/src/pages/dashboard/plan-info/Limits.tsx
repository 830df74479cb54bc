import type { AccountLimits } from '@holdfast/contract/src/account.ts';
import { formatCount, formatSize, formatSpeedLimit } from '../../../lib/format.ts';
import { Fact, Facts } from '../../../ui/Facts.tsx';

export function Limits({ limits }: { readonly limits: AccountLimits }) {
  return (
    <Facts>
      <Fact name="Account space">
        <span className="figures">{formatSize(limits.space_quota)}</span>
      </Fact>
      <Fact name="File slots">
        <span className="figures">{formatCount(limits.slots_quota)}</span>
      </Fact>
      <Fact name="Max file size">
        <span className="figures">{formatSize(limits.max_file_size)}</span>
      </Fact>
      <Fact name="Max download speed">
        <span className="figures">{formatSpeedLimit(limits.max_file_download_speed)}</span>
      </Fact>
    </Facts>
  );
}
