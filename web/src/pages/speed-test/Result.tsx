import { plans, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { ChartKey } from './ChartKey.tsx';
import { formatMbps } from './format-mbps.ts';
import { SpeedChart } from './SpeedChart.tsx';
import { averageMbps } from './speed-meter.ts';
import type { SpeedTestState } from './speed-test-state.ts';
import { statusWords } from './status-words.ts';
import { useInViewWhile } from './use-in-view-while.ts';

export interface ResultProps {
  readonly state: SpeedTestState;
  readonly onCancel: () => void;
}

/** The newest run: as it goes, then what came out. */
export function Result({ state, onCancel }: ResultProps) {
  const { level, phase, measured, problem } = state;
  const limit = level === null ? unlimitedMbps : plans[level].maxDownloadMbps;
  const planMbps = limit >= unlimitedMbps ? null : limit;
  const average = phase === 'done' && measured ? averageMbps(measured) : null;
  const shown = average ?? measured?.readings.at(-1)?.mbps ?? null;
  // On a phone what was pressed stands above, and the figures would come unseen.
  const place = useInViewWhile<HTMLDivElement>(phase === 'running' || phase === 'failed');
  return (
    <Card ref={place} className="scroll-mb-4 p-4 sm:p-6">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p aria-hidden className="flex items-baseline gap-2">
          <span className="figures text-[44px] leading-12 font-medium tracking-[-0.05em]">
            {shown === null ? <span className="font-normal text-muted">–</span> : formatMbps(shown)}
          </span>
          <span className="text-muted">Mbps</span>
        </p>
        {/* Its plan's own button may have gone out of view. */}
        {phase === 'running' && (
          <Button className="lg:hidden" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {/* Spoken when it changes: at the start and at the end, not at each reading. */}
        <output className="min-h-10 text-m text-muted max-lg:w-full sm:min-h-5">{statusWords(state)}</output>
      </div>
      {phase === 'failed' && (
        <div className="mb-6">
          <ErrorBox>{problem}</ErrorBox>
        </div>
      )}
      <SpeedChart readings={measured?.readings ?? []} planMbps={planMbps} average={average} />
      <ChartKey planMbps={planMbps} average={average} />
    </Card>
  );
}
