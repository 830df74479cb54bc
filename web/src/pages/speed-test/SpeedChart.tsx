import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { runSeconds } from './run-speed-test.ts';
import { formatMbps, type Reading } from './run-speed-test.ts';

export interface SpeedChartProps {
  readonly readings: readonly Reading[];
  /** Of plans that could be measured. */
  readonly limits: readonly { readonly name: string; readonly mbps: number }[];
  /** The plan's limit; null if it has none. */
  readonly planMbps: number | null;
  readonly average: number | null;
}

/** Chart of Mbps over seconds. Its content is also given as text beside it. */
export function SpeedChart({ readings, limits, planMbps, average }: SpeedChartProps) {
  const top = scaleTop(Math.max(planMbps ?? 0, ...[...limits, ...readings].map(({ mbps }) => mbps)) * 1.1);
  const points = linePoints(readings, top, runSeconds);
  // A lower one would lie on the axis.
  const shown = limits.filter(({ mbps }) => mbps > top / 20);
  return (
    <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 figures text-[12px] leading-4 text-muted">
      <div className="flex h-48 flex-col justify-between text-right sm:h-60">
        {[top, top / 2, 0].map((mbps) => (
          <span key={mbps} className="-my-2">
            {mbps > 0 && points === '' && shown.length === 0 ? '' : formatTick(mbps)}
          </span>
        ))}
      </div>
      <div className="relative">
        {shown.map(({ name, mbps }) => (
          <span key={name} style={{ bottom: `${(mbps / top) * 100}%` }} className="absolute right-0">
            {name}, {mbps} Mbps
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-48 w-full overflow-visible sm:h-60">
          {shown.map(({ name, mbps }) => (
            <Line key={name} y={height(mbps, top)} className="stroke-muted" dashes="2 4" />
          ))}
          {[0, 50, 100].map((y) => (
            <Line key={y} y={y} className="stroke-line" />
          ))}
          {planMbps !== null && <Line y={height(planMbps, top)} className="stroke-muted" dashes="2 4" />}
          {points !== '' && (
            <>
              <polygon points={`0,100 ${points} ${lastX(points)},100`} className="fill-sea-wash" />
              <polyline points={points} className="fill-none stroke-sea" strokeWidth={2} vectorEffect={unscaled} />
            </>
          )}
          {average !== null && <Line y={height(average, top)} className="stroke-ink" dashes="6 4" />}
        </svg>
      </div>
      <div className="col-start-2 mt-2 flex justify-between">
        <span>0 s</span>
        <span>{runSeconds / 2} s</span>
        <span>{runSeconds} s</span>
      </div>
    </div>
  );
}

const unscaled = 'non-scaling-stroke';

const formatTick = (mbps: number) => (mbps < 10 ? String(Number(mbps.toFixed(2))) : formatMbps(mbps).replace('.0', ''));

const lastX = (points: string) => points.slice(points.lastIndexOf(' ') + 1).split(',', 1)[0];

interface LineProps {
  readonly y: number;
  readonly className: string;
  readonly dashes?: string;
}

function Line({ y, className, dashes }: LineProps) {
  return <line x1={0} x2={100} y1={y} y2={y} className={className} strokeDasharray={dashes} vectorEffect={unscaled} />;
}

type ChartKeyProps = Pick<SpeedChartProps, 'planMbps' | 'average'>;

export function ChartKey({ planMbps, average }: ChartKeyProps) {
  return (
    <ul aria-hidden className="mt-4 flex min-h-5 flex-wrap gap-x-5 gap-y-1 text-s text-muted">
      <Entry stroke="border-sea border-solid border-t-2">Measured</Entry>
      {planMbps !== null && <Entry stroke="border-muted border-dotted">Plan maximum, {planMbps} Mbps</Entry>}
      {average !== null && <Entry stroke="border-ink border-dashed">Average, {formatMbps(average)} Mbps</Entry>}
    </ul>
  );
}

function Entry({ stroke, children }: { readonly stroke: string; readonly children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      <span className={clsx('w-5 border-t', stroke)} />
      <span>{children}</span>
    </li>
  );
}

type Point = Pick<Reading, 'seconds' | 'mbps'>;

/** Returns the top of a scale that fits a value: a round number whose half is round too. */
export function scaleTop(value: number): number {
  if (value <= 0) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((step) => step * decade >= value) ?? 10) * decade;
}

/** The readings as a line in a box of 100 by 100. The line starts at time 0, at the height of the first reading. */
function linePoints(readings: readonly Point[], top: number, seconds: number): string {
  const points = readings.map((reading) => `${round((reading.seconds / seconds) * 100)},${height(reading.mbps, top)}`);
  const [first] = readings;
  return first ? [`0,${height(first.mbps, top)}`, ...points].join(' ') : '';
}

/** Distance from the top of a box with height 100. */
const height = (mbps: number, top: number): number => round(100 - (mbps / top) * 100);

const round = (value: number) => Math.round(value * 100) / 100;
