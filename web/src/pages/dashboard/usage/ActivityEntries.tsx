import type { ActivityEntry, ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useTimeZone } from '../../../api/account/settings.ts';
import { formatCount, formatFiles, formatSize } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/media.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { eventTexts } from './event-texts.ts';
import { type ActivityGroup, groupEntries } from './group-entries.ts';

export interface ActivityEntriesProps {
  readonly activity: readonly ActivityEntry[];
  readonly pagination: Pick<NoActivityProps, 'page' | 'total'>;
  readonly event: ActivityEvent | undefined;
}

/** A table if there is space for its columns, cards on a phone. */
export function ActivityEntries({ activity, pagination: { page, total }, event }: ActivityEntriesProps) {
  const timeZone = useTimeZone();
  const isNarrow = useMedia('(max-width: 859.98px)');
  if (activity.length === 0) return <NoActivity page={page} total={total} event={event} />;
  const groups = groupEntries(activity);
  return isNarrow ? (
    <ActivityCards groups={groups} timeZone={timeZone} />
  ) : (
    <ActivityTable groups={groups} timeZone={timeZone} />
  );
}

interface NoActivityProps {
  readonly page: number;
  readonly total: number;
  readonly event: ActivityEvent | undefined;
}

/** Message for an empty list: no entries at all, none of the event, or none on this page. */
function NoActivity({ page, total, event }: NoActivityProps) {
  if (total > 0)
    return (
      <EmptyState
        title={`There is nothing on page ${page}`}
        action={
          <ButtonLink to="/dashboard/usage" search={{ event }} resetScroll={false}>
            Go to the first page
          </ButtonLink>
        }
      >
        The list is now shorter, or the address was mistyped.
      </EmptyState>
    );
  if (event !== undefined)
    return (
      <EmptyState
        title="No such activity"
        action={
          <ButtonLink to="/dashboard/usage" resetScroll={false}>
            Show all activity
          </ButtonLink>
        }
      >
        No entry of the last 12 months is “{eventTexts[event].what}”.
      </EmptyState>
    );
  return (
    <EmptyState title="No activity">
      No files were removed. If a rule, a malware scan or a complaint removes one, you will see it here with the reason.
    </EmptyState>
  );
}

interface GroupsProps {
  readonly groups: readonly ActivityGroup[];
  readonly timeZone: string;
}

const keyOf = ({ name, event, happened }: ActivityEntry) => `${name} ${event} ${happened}`;
const keyOfGroup = ({ entries: [first] }: ActivityGroup) => first && keyOf(first);

function ActivityTable({ groups, timeZone }: GroupsProps) {
  return (
    <table aria-labelledby="activity" className="w-full table-fixed text-left">
      <thead className="border-b border-line text-s text-muted">
        <tr className="*:px-4 *:py-2.5 *:font-normal sm:*:px-5">
          <th scope="col">File</th>
          <th scope="col" className="w-32 text-right">
            Size
          </th>
          <th scope="col" className="w-40">
            When
          </th>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={keyOfGroup(group)} className="border-b border-line last:border-0">
          <tr>
            <th scope="rowgroup" colSpan={3} className="px-4 pt-4 pb-1 font-normal sm:px-5">
              <Cause group={group} />
            </th>
          </tr>
          {group.entries.map((entry) => (
            <tr key={keyOf(entry)} className="align-top *:px-4 *:py-2.5 last:*:pb-4 sm:*:px-5">
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
      ))}
    </table>
  );
}

/** The content of the table, for a phone. */
function ActivityCards({ groups, timeZone }: GroupsProps) {
  return (
    <ul aria-labelledby="activity" className="divide-y divide-line">
      {groups.map((group) => (
        <li key={keyOfGroup(group)} className="px-4 py-4">
          <Cause group={group} />
          <ul className="mt-3 grid grid-cols-1 gap-3">
            {group.entries.map((entry) => (
              <li key={keyOf(entry)}>
                <EntryFile entry={entry} />
                <p className="flex flex-wrap gap-x-4 text-s text-muted">
                  <span className="figures text-ink">{formatSize(entry.size)}</span>
                  <RelativeTime at={entry.happened} timeZone={timeZone} />
                </p>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Cause({ group: { event, files } }: { readonly group: ActivityGroup }) {
  const { what, why } = eventTexts[event];
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className={clsx('font-medium', event === 'restored' && 'text-sea')}>{what}</span>
        <span className="text-s text-muted">{formatFiles(files)}</span>
      </p>
      <p className="text-s text-muted">
        {why}
        {event === 'takedown' && (
          <>
            {' '}
            <Link to="/dmca-policy" hash="counter-notification" className={linkLook}>
              How to object
            </Link>
          </>
        )}
      </p>
    </>
  );
}

const linkLook = 'whitespace-nowrap text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong';

/** The person's own name of the file, with the stored one beside it. */
function EntryFile({ entry: { name, original_name, files, cause } }: { readonly entry: ActivityEntry }) {
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="max-w-full truncate" title={shownName(original_name)}>
          <bdi>{shownName(original_name)}</bdi>
        </span>
        <span className="font-mono text-s text-muted">{name}</span>
      </span>
      {(files > 1 || cause !== '') && (
        <span className="block truncate text-s text-muted">
          {files > 1 && `and ${formatCount(files - 1)} more`}
          {files > 1 && cause !== '' && ', '}
          {cause !== '' && (
            <>
              for <bdi>{shownName(cause)}</bdi>
            </>
          )}
        </span>
      )}
    </>
  );
}
