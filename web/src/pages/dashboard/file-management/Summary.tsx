import type { FileList } from '@holdfast/contract/src/files.ts';
import { formatCount, formatPercent, formatSize, formatSpeedLimit, share } from '../../../lib/format.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Tile, Tiles } from '../../../ui/Tiles.tsx';

export function Summary({ list }: { readonly list: FileList | undefined }) {
  return (
    <div className="mt-5">
      <Tiles>{list ? <Figures list={list} /> : labels.map((label) => <Placeholder key={label} label={label} />)}</Tiles>
    </div>
  );
}

const labels = ['Used Space', 'Used Slots', 'Max File Size', 'Max Download Speed'] as const;

const Placeholder = ({ label }: { readonly label: string }) => (
  <Tile
    label={label}
    value={<Skeleton className="my-1 h-4 w-24" />}
    detail={<Skeleton className="my-1 h-3 w-28" />}
    share={0}
  />
);

function Figures({ list: { account_usage: usage, account_limits: limits } }: { readonly list: FileList }) {
  const space = share(usage.space_used, limits.space_quota);
  const slots = share(usage.slots_used, limits.slots_quota);
  return (
    <>
      <Tile
        label={labels[0]}
        value={formatSize(usage.space_used)}
        share={space}
        detail={`${formatPercent(space)} of ${formatSize(limits.space_quota)}`}
      />
      <Tile
        label={labels[1]}
        value={formatCount(usage.slots_used)}
        share={slots}
        detail={`${formatPercent(slots)} of ${formatCount(limits.slots_quota)}`}
      />
      <Tile label={labels[2]} value={formatSize(limits.max_file_size)} detail="for each upload" />
      <Tile label={labels[3]} value={formatSpeedLimit(limits.max_file_download_speed)} detail="for each download" />
    </>
  );
}
