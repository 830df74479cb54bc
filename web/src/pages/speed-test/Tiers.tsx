import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { plans, shownTiers, tierName } from '../../lib/plans.ts';
import { ArrowUpRight } from 'lucide-react';
import { formatSpeedLimit } from '../../lib/format.ts';
import { Button, ButtonAnchor } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { testFileLink } from './run-speed-test.ts';
import { formatMbps } from './run-speed-test.ts';
import type { SpeedTestState } from './speed-test-state.ts';

export interface TiersProps {
  readonly state: SpeedTestState;
  readonly onStart: (level: PlanLevel) => void;
  readonly onCancel: () => void;
}

/** One row for each plan, with buttons to run the test here or to download its test file. */
export function Tiers({ state: { level: newest, phase, results }, onStart, onCancel }: TiersProps) {
  const running = phase === 'running' ? newest : null;
  return (
    <Card className="lg:order-last">
      <ul aria-label="Plans" className="divide-y divide-line">
        {shownTiers.map((level) => (
          <Tier
            key={level}
            level={level}
            result={results[level]}
            running={running === level}
            blocked={running !== null && running !== level}
            onPress={() => (running === level ? onCancel() : onStart(level))}
          />
        ))}
      </ul>
    </Card>
  );
}

interface TierProps {
  readonly level: PlanLevel;
  readonly result: number | undefined;
  readonly running: boolean;
  readonly blocked: boolean;
  readonly onPress: () => void;
}

function Tier({ level, result, running, blocked, onPress }: TierProps) {
  const name = tierName(level);
  const { maxDownloadMbps } = plans[level];
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
