import { unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { plans, shownTiers, tierName } from '../../lib/plans.ts';
import { site } from '../../lib/site.ts';
import { type RefObject, useEffect, useRef } from 'react';
import { formatSize } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { ChartKey, SpeedChart } from './SpeedChart.tsx';
import { averageMbps, formatMbps } from './run-speed-test.ts';
import type { SpeedTestState } from './speed-test-state.ts';

export interface ResultProps {
  readonly state: SpeedTestState;
  readonly onCancel: () => void;
}

/** The newest run: its progress, then its result. */
export function Result({ state, onCancel }: ResultProps) {
  const { level, phase, measured, problem } = state;
  const limit = level === null ? unlimitedMbps : plans[level].maxDownloadMbps;
  const planMbps = limit >= unlimitedMbps ? null : limit;
  const average = phase === 'done' && measured ? averageMbps(measured) : null;
  const shown = average ?? measured?.readings.at(-1)?.mbps ?? null;
  // On a phone the pressed button is above, and the figures would appear off screen.
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
        {/* The plan's own button may have scrolled out of view. */}
        {phase === 'running' && (
          <Button className="lg:hidden" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {/* Announced when it changes: at the start and at the end, not on each reading. */}
        <output className="min-h-10 text-m text-muted max-lg:w-full sm:min-h-5">{statusWords(state)}</output>
      </div>
      {phase === 'failed' && (
        <div className="mb-6">
          <ErrorBox>{problem}</ErrorBox>
        </div>
      )}
      <SpeedChart
        readings={measured?.readings ?? []}
        limits={level === null ? tierLimits : []}
        planMbps={planMbps}
        average={average}
      />
      <ChartKey planMbps={planMbps} average={average} />
    </Card>
  );
}

/** Shown until one is chosen. */
const tierLimits = shownTiers
  .map((level) => ({ name: tierName(level), mbps: plans[level].maxDownloadMbps }))
  .filter(({ mbps }) => mbps < unlimitedMbps);

/** Scrolls an element into view when it becomes relevant. It does not scroll if the element is already in view. */
function useInViewWhile<E extends HTMLElement>(relevant: boolean): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => {
    if (relevant) place.current?.scrollIntoView({ block: 'nearest' });
  }, [relevant]);
  return place;
}

/** The state of the test in a sentence; a failure is shown in a separate box. */
function statusWords({ level, phase, measured }: SpeedTestState): string {
  if (level === null) return site.pricing ? 'Choose a plan to measure.' : 'Press Measure to begin.';
  const name = tierName(level);
  if (phase === 'running') return `Measuring ${name}...`;
  if (phase === 'canceled') return `The measurement of ${name} was canceled.`;
  if (phase !== 'done' || !measured) return '';
  const { bytes, seconds } = measured;
  const mbps = formatMbps(averageMbps(measured));
  return `${name}: ${mbps} Mbps on average, ${formatSize(bytes)} in ${seconds.toFixed(1)}\u00a0s.`;
}
