import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { formatMbps } from './format-mbps.ts';

export interface ChartKeyProps {
  readonly planMbps: number | null;
  readonly average: number | null;
}

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
