import { formatSize } from '../../../lib/format.ts';
import { Moment } from '../../../ui/Moment.tsx';
import type { EntriesProps } from './entries-props.ts';
import { HappenedTo } from './HappenedTo.tsx';
import { WhatHappened } from './WhatHappened.tsx';

/** The same as the table, for a phone. */
export function ActivityCards({ entries, timeZone }: EntriesProps) {
  return (
    <ul aria-labelledby="activity" className="divide-y divide-line">
      {entries.map((entry) => (
        <li key={`${entry.name} ${entry.event} ${entry.happened}`} className="px-4 py-3.5">
          <HappenedTo entry={entry} />
          <div className="mt-2">
            <WhatHappened event={entry.event} />
          </div>
          <dl className="mt-2 flex flex-wrap gap-x-4 text-s text-muted">
            <div>
              <dt className="sr-only">Size</dt>
              <dd className="figures text-ink">{formatSize(entry.size)}</dd>
            </div>
            <div>
              <dt className="sr-only">When</dt>
              <dd>
                <Moment at={entry.happened} timeZone={timeZone} />
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  );
}
