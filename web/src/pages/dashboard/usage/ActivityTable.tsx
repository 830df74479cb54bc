import { formatSize } from '../../../lib/format.ts';
import { Moment } from '../../../ui/Moment.tsx';
import type { EntriesProps } from './entries-props.ts';
import { HappenedTo } from './HappenedTo.tsx';
import { WhatHappened } from './WhatHappened.tsx';

export function ActivityTable({ entries, timeZone }: EntriesProps) {
  return (
    <table aria-labelledby="activity" className="w-full table-fixed text-left">
      <thead className="border-b border-line text-s text-muted">
        <tr className="*:px-4 *:py-2.5 *:font-normal">
          <th scope="col">What happened</th>
          <th scope="col" className="w-[30%]">
            File
          </th>
          <th scope="col" className="w-28 text-right">
            Size
          </th>
          <th scope="col" className="w-36">
            When
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {entries.map((entry) => (
          <tr key={`${entry.name} ${entry.event} ${entry.happened}`} className="align-top *:px-4 *:py-3">
            <td>
              <WhatHappened event={entry.event} />
            </td>
            <td>
              <HappenedTo entry={entry} />
            </td>
            <td className="text-right figures text-s whitespace-nowrap">{formatSize(entry.size)}</td>
            <td className="text-s whitespace-nowrap">
              <Moment at={entry.happened} timeZone={timeZone} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
