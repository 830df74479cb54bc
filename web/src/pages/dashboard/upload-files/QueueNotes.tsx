import type { Account } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTimeZone } from '../../../api/account/settings.ts';
import { formatCount, formatFiles, formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { exactTime } from '../../../lib/time.ts';
import { type FileRules, roomWarning } from './check-files.ts';
import { pauseTexts } from './queue-texts.ts';
import { nextAttemptAt, pauseOf, summaryOf } from './selectors.ts';
import { TryNow } from './TryNow.tsx';
import { useEviction } from './use-eviction.ts';
import { useQueue } from './use-queue.ts';

export interface QueueNotesProps {
  readonly account: Account;
  readonly rules: FileRules;
}

/** Notices about the queue as a whole. */
export function QueueNotes({ account, rules }: QueueNotesProps) {
  const pause = useQueue(pauseOf);
  return (
    <output className="mt-3 grid gap-2 empty:hidden">
      {pause !== undefined && pause !== 'stalled' && pause !== 'offline' && pause !== 'paused' && (
        <Warning>
          {pauseTexts[pause]} <NextAttempt /> <TryNow />
        </Warning>
      )}
      <RoomNote account={account} rules={rules} />
      <EvictedNote />
    </output>
  );
}

function Warning({ children }: { readonly children: ReactNode }) {
  return (
    <p className="flex gap-2 rounded-m bg-buoy-wash px-3 py-2 text-s text-buoy-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

function NextAttempt() {
  const timeZone = useTimeZone();
  const at = useQueue(nextAttemptAt);
  return (
    at !== undefined && `Next attempt: ${exactTime(new Date(performance.timeOrigin + at).toISOString(), timeZone)}.`
  );
}

/** Says that there is too little room, or what Continuous Uploading will delete for it. */
function RoomNote({ account, rules }: QueueNotesProps) {
  const room = useQueue((queue) => roomWarning(summaryOf(queue), account));
  const { isOn, preview } = useEviction(account, rules);
  if (!isOn) return room !== undefined && <Warning>{room}</Warning>;
  if (preview?.total === 0) return <Warning>{room} Favorites are never deleted.</Warning>;
  return (
    <Warning>
      <Link to="/dashboard/general" className="underline underline-offset-4">
        Continuous Uploading
      </Link>{' '}
      will delete{' '}
      {preview ? (
        <>
          <strong className="font-medium">
            {preview.total === 1 ? 'your oldest file' : `your ${formatCount(preview.total)} oldest files`} (
            {formatSize(preview.size)})
          </strong>{' '}
          to make room: <Names all={preview.files.map((file) => file.original_name)} total={preview.total} />.
        </>
      ) : (
        'your oldest files to make room.'
      )}
    </Warning>
  );
}

function EvictedNote() {
  const evicted = useQueue((queue) => summaryOf(queue).evicted);
  if (!evicted) return null;
  const { total, size, names } = evicted;
  return (
    <Warning>
      Continuous Uploading deleted {formatFiles(total)} ({formatSize(size)}) to make room:{' '}
      <Names all={names} total={total} />.{' '}
      <Link to="/dashboard/usage" className="underline underline-offset-4">
        See Activity
      </Link>
    </Warning>
  );
}

const mostNamed = 5;

function Names({ all, total }: { readonly all: readonly string[]; readonly total: number }) {
  const named = all.slice(0, mostNamed);
  const others = total - named.length;
  return (
    <>
      {named.map((name, at) => (
        // The same name may occur twice.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={at}>
          {at > 0 && (at === named.length - 1 && others === 0 ? ' and ' : ', ')}
          <bdi>{shownName(name)}</bdi>
        </span>
      ))}
      {others > 0 && ` and ${formatCount(others)} more`}
    </>
  );
}
