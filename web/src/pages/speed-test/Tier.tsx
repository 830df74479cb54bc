import { type PlanLevel, plans } from '@holdfast/contract/src/plans.ts';
import { ArrowUpRight } from 'lucide-react';
import { formatSpeedLimit } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ButtonAnchor } from '../../ui/ButtonLink.tsx';
import { formatMbps } from './format-mbps.ts';
import { testFileLink } from './run-speed-test.ts';

export interface TierProps {
  readonly level: PlanLevel;
  /** What was measured last, in Mbps. */
  readonly result: number | undefined;
  readonly running: boolean;
  /** While another plan is measured. */
  readonly blocked: boolean;
  readonly onPress: () => void;
}

export function Tier({ level, result, running, blocked, onPress }: TierProps) {
  const { name, maxDownloadMbps } = plans[level];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-2 gap-y-3 px-4 py-3.5 sm:px-5">
      <div>
        <p className="font-medium">{name}</p>
        <p className="figures text-s text-muted">
          {formatSpeedLimit(maxDownloadMbps)}
          {result !== undefined && <span className="block text-ink">Measured {formatMbps(result)}</span>}
        </p>
      </div>
      <div className="flex gap-1 sm:gap-2">
        <Button className="min-w-24" busy={running} disabled={blocked} onClick={onPress}>
          <span>
            {running ? 'Cancel' : 'Measure'}
            <span className="sr-only"> {name}</span>
          </span>
        </Button>
        <ButtonAnchor
          href={testFileLink(level)}
          target="_blank"
          rel="noreferrer"
          variant="quiet"
          className="max-sm:px-2"
        >
          <span>
            <span className="sr-only">{name}: </span>250MB file<span className="sr-only"> (opens in a new tab)</span>
          </span>
          <ArrowUpRight aria-hidden className="max-[359px]:hidden" />
        </ButtonAnchor>
      </div>
    </li>
  );
}
