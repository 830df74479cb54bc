import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { height, linePoints, scaleTop } from './chart-scale.ts';
import { runSeconds } from './run-speed-test.ts';
import { formatMbps, type Reading } from './speed-meter.ts';

export interface SpeedChartProps {
  readonly readings: readonly Reading[];
  /** The plan's limit; null if it has none. */
  readonly planMbps: number | null;
  /** The average speed, once the run is over. */
  readonly average: number | null;
}

/** Chart of Mbps over seconds. Its content is also given as text beside it. */
export function SpeedChart({ readings, planMbps, average }: SpeedChartProps) {
  const top = scaleTop(Math.max(planMbps ?? 0, ...readings.map(({ mbps }) => mbps)) * 1.1);
  const points = linePoints(readings, top, runSeconds);
  return (
    <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 figures text-[12px] leading-4 text-muted">
      <div className="flex h-48 flex-col justify-between text-right sm:h-60">
        {[top, top / 2, 0].map((mbps) => (
          <span key={mbps} className="-my-2">
            {mbps === 0 || points === '' ? (mbps === 0 ? '0' : '') : formatTick(mbps)}
          </span>
        ))}
      </div>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-48 w-full overflow-visible sm:h-60">
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
