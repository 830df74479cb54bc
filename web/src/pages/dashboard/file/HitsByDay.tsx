import type { HitsOfDay } from '@holdfast/contract/src/file-page.ts';
import { useState } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { useNow } from '../../../lib/now.ts';
import { calendarDay } from '../../../lib/time.ts';
import { Card } from '../../../ui/Card.tsx';
import { Select } from '../../../ui/Select.tsx';

export interface HitsByDayProps {
  readonly hits: number;
  readonly days: readonly HitsOfDay[];
}

const spans = { 30: 'Last 30 days', 366: 'Last 12 months' } as const;

export function HitsByDay({ hits, days }: HitsByDayProps) {
  const [span, setSpan] = useState<30 | 366>(30);
  const bars = barsOf(days, span, useNow());
  const shown = bars.reduce((sum, bar) => sum + bar.hits, 0);
  const best = bars.reduce((most, bar) => (bar.hits > most.hits ? bar : most));
  return (
    <Card className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-medium">Hits</h2>
        <Select
          aria-label="Time"
          value={span}
          onChange={(event) => setSpan(event.currentTarget.value === '30' ? 30 : 366)}
        >
          {Object.entries(spans).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </Select>
      </div>
      <p className="mt-1 text-muted">
        <span className="figures text-ink">{formatCount(shown)}</span> in the {spans[span].toLowerCase()}
        {best.hits > 0 && `, at most ${formatCount(best.hits)} on ${calendarDay(best.day, 'UTC')}`}.{' '}
        <span className="figures text-ink">{formatCount(hits)}</span> in all.
      </p>
      <Chart bars={bars} top={best.hits} />
    </Card>
  );
}

type Bar = HitsOfDay;

const dayMs = 86_400_000;

function barsOf(days: readonly HitsOfDay[], span: number, now: number): readonly Bar[] {
  const hitsOn = new Map(days.map(({ day, hits }) => [day, hits]));
  return Array.from({ length: span }, (_, at) => {
    const day = new Date(now - (span - 1 - at) * dayMs).toISOString().slice(0, 10);
    return { day, hits: hitsOn.get(day) ?? 0 };
  });
}

/** Its content is also in the sentence above it. */
function Chart({ bars, top }: { readonly bars: readonly Bar[]; readonly top: number }) {
  const width = 100 / bars.length;
  const gap = bars.length > 60 ? 0 : 0.2 * width;
  return (
    <div aria-hidden className="mt-3 text-[12px] leading-4 text-muted">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-28 w-full border-b border-line">
        {bars.map(({ day, hits }, at) => (
          <rect
            key={day}
            x={at * width + gap / 2}
            width={width - gap}
            y={100 - height(hits, top)}
            height={height(hits, top)}
            className="fill-sea"
          >
            <title>{`${calendarDay(day, 'UTC')}: ${formatCount(hits)}`}</title>
          </rect>
        ))}
      </svg>
      <p className="mt-1 flex justify-between">
        <span>{calendarDay(bars[0]?.day ?? '', 'UTC')}</span>
        <span>Today (UTC)</span>
      </p>
    </div>
  );
}

/** A single hit stays visible. */
const height = (hits: number, top: number): number => (hits === 0 ? 0 : Math.max(2, (hits / top) * 96));
