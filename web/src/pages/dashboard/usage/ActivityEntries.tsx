import type { ActivityEntry } from '@holdfast/contract/src/activity.ts';
import { useTimeZone } from '../../../api/account/settings.ts';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/media.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { EntryReason } from './EntryReason.tsx';

export interface ActivityEntriesProps {
  readonly activity: readonly ActivityEntry[];
  readonly pagination: NoActivityProps;
}

/** A table if there is space for its columns, cards on a phone. */
export function ActivityEntries({ activity, pagination: { page, total } }: ActivityEntriesProps) {
  const timeZone = useTimeZone();
  const List = useMedia('(max-width: 859.98px)') ? ActivityCards : ActivityTable;
  return activity.length === 0 ? (
    <NoActivity page={page} total={total} />
  ) : (
    <List entries={activity} timeZone={timeZone} />
  );
}

interface NoActivityProps {
  readonly page: number;
  readonly total: number;
}

/** Message for an empty list: no entries at all, or none on this page. */
function NoActivity({ page, total }: NoActivityProps) {
  if (total > 0)
    return (
      <EmptyState
        title={`There is nothing on page ${page}`}
        action={
          <ButtonLink to="/dashboard/usage" resetScroll={false}>
            Go to the first page
          </ButtonLink>
        }
      >
        The list is now shorter, or the address was mistyped.
      </EmptyState>
    );
  return (
    <EmptyState title="No activity">
      No files were removed. If a rule, a malware scan or a complaint removes one, you will see it here with the reason.
    </EmptyState>
  );
}

interface EntriesProps {
  readonly entries: readonly ActivityEntry[];
  readonly timeZone: string;
}

function ActivityTable({ entries, timeZone }: EntriesProps) {
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
              <EntryReason event={entry.event} />
            </td>
            <td>
              <EntryFile entry={entry} />
            </td>
            <td className="text-right figures text-s whitespace-nowrap">{formatSize(entry.size)}</td>
            <td className="text-s whitespace-nowrap">
              <RelativeTime at={entry.happened} timeZone={timeZone} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The content of the table, for a phone. */
function ActivityCards({ entries, timeZone }: EntriesProps) {
  return (
    <ul aria-labelledby="activity" className="divide-y divide-line">
      {entries.map((entry) => (
        <li key={`${entry.name} ${entry.event} ${entry.happened}`} className="px-4 py-3.5">
          <EntryFile entry={entry} />
          <div className="mt-2">
            <EntryReason event={entry.event} />
          </div>
          <dl className="mt-2 flex flex-wrap gap-x-4 text-s text-muted">
            <div>
              <dt className="sr-only">Size</dt>
              <dd className="figures text-ink">{formatSize(entry.size)}</dd>
            </div>
            <div>
              <dt className="sr-only">When</dt>
              <dd>
                <RelativeTime at={entry.happened} timeZone={timeZone} />
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** The file's stored name with the original one below it, as in the file list. */
function EntryFile({ entry: { name, original_name, files } }: { readonly entry: ActivityEntry }) {
  return (
    <>
      <span className="block truncate font-mono text-[13.5px]">{name}</span>
      <span className="block truncate text-s text-muted" title={shownName(original_name)}>
        <bdi>{shownName(original_name)}</bdi>
      </span>
      {files > 1 && <span className="block text-s text-muted">and {formatCount(files - 1)} more</span>}
    </>
  );
}
