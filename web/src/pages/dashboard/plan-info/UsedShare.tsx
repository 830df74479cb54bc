import { formatPercent, share } from '../../../lib/format.ts';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';

export interface UsedShareProps {
  readonly name: string;
  readonly used: number;
  readonly quota: number;
  readonly format: (amount: number) => string;
}

export function UsedShare({ name, used, quota, format }: UsedShareProps) {
  const part = share(used, quota);
  return (
    <div className="px-4 py-4 sm:px-5">
      <div className="mb-3 flex flex-wrap justify-between gap-x-4">
        <p>
          {name} <span className="figures text-s text-muted">{formatPercent(part)}</span>
        </p>
        <p className="figures text-s">
          {format(used)} <span className="text-muted">of {format(quota)}</span>
        </p>
      </div>
      <ProgressBar value={part} label={`${name} used`} />
    </div>
  );
}
