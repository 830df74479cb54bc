import type { Account } from '@holdfast/contract/src/account.ts';
import { clsx } from 'clsx';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { useTimeZone } from '../../../api/account/settings.ts';
import { useMedia } from '../../../lib/media.ts';
import { exactTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { useDrawnRows } from '../../../ui/use-drawn-rows.ts';
import { CopyAllLinks } from './CopyAllLinks.tsx';
import { planNamed } from '../../../lib/plans.ts';
import { type FileRules, roomWarning } from './check-files.ts';
import { pauseTexts } from './queue-texts.ts';
import { focusAfter, places } from './focus-after.ts';
import { canStart } from './queue.ts';
import { hasStuck, pauseOf, nextAttemptAt, summaryOf } from './selectors.ts';
import { removeFiles, uploads } from './upload-queue-instance.ts';
import { UploadRow } from './UploadRow.tsx';
import { useQueue } from './use-queue.ts';

/** The queue on its own page: the buttons, the notices about the queue as a whole, and a row for each file. */
export function UploadQueue({ account }: { readonly account: Account }) {
  const rules = useFileRules(account.info.level, account.limits.max_file_size);
  return (
    <>
      <QueueBar />
      <QueueNotes account={account} />
      <QueueList rules={rules} />
    </>
  );
}

/** Returns the same object while the plan is the same, because the account is refetched repeatedly during uploads. */
const useFileRules = (level: string, maxFileSize: number): FileRules =>
  useMemo(() => ({ plan: planNamed(level), maxFileSize }), [level, maxFileSize]);

function QueueBar() {
  const isEmpty = useQueue((queue) => queue.ids.length === 0);
  const stuck = useQueue((queue) => hasStuck(summaryOf(queue)));
  return (
    <div className="mt-6 flex flex-wrap items-center gap-2">
      <StartButton id={places.start} />
      <Button
        className="max-sm:grow"
        disabled={isEmpty}
        onClick={() => focusAfter(() => removeFiles({ type: 'clear' }), places.browse)}
      >
        Remove
      </Button>
      {stuck && (
        <Button
          className="max-sm:grow"
          onClick={() => focusAfter(() => uploads.dispatch({ type: 'retry-all' }), places.start)}
        >
          Retry all
        </Button>
      )}
      <BatchLine />
      <CopyAllLinks />
    </div>
  );
}

/** Stays focusable while disabled, so that a press does not lose the focus. */
function StartButton({ id }: { readonly id: string }) {
  const running = useQueue((queue) => queue.running);
  const ready = useQueue(canStart);
  return (
    <Button
      id={id}
      variant="primary"
      busy={running}
      aria-disabled={!ready}
      className={clsx('max-sm:grow', !ready && resting)}
      onClick={() => uploads.dispatch({ type: 'start' })}
    >
      {running ? 'Uploading...' : 'Upload Files'}
    </Button>
  );
}

const resting = 'cursor-not-allowed border-line! bg-sunken! text-muted! opacity-100!';

function BatchLine() {
  const position = useQueue((queue) => summaryOf(queue).place?.position);
  const total = useQueue((queue) => summaryOf(queue).place?.total);
  if (position === undefined) return null;
  return (
    <p className="px-1 text-muted">
      <span className="figures text-ink">{position}</span> of <span className="figures text-ink">{total}</span>
    </p>
  );
}

function QueueNotes({ account }: { readonly account: Account }) {
  const pause = useQueue(pauseOf);
  const room = useQueue((queue) => roomWarning(summaryOf(queue), account));
  return (
    <output className="mt-3 grid gap-2 empty:hidden">
      {pause !== undefined && pause !== 'stalled' && (
        <Warning>
          <span>
            {pauseTexts[pause]} <NextAttempt /> <TryNow />
          </span>
        </Warning>
      )}
      {room !== undefined && <Warning>{room}</Warning>}
    </output>
  );
}

function Warning({ children }: { readonly children: ReactNode }) {
  return (
    <p className="flex gap-2 rounded-m bg-buoy-wash px-3 py-2 text-s text-buoy-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children}
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

/** A server on this machine or on the local network is reachable without the internet. */
function TryNow() {
  const button = useRef<HTMLButtonElement>(null);
  // The button disappears when the connection returns, and must not take the focus with it.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (document.activeElement === own) document.getElementById(places.start)?.focus();
    };
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className="underline underline-offset-4"
      onClick={() => uploads.dispatch({ type: 'connection', online: true })}
    >
      Try now
    </button>
  );
}

function QueueList({ rules }: { readonly rules: FileRules }) {
  const ids = useQueue((queue) => queue.ids);
  const stuck = useQueue((queue) => hasStuck(summaryOf(queue)));
  const rowHeight = useMedia(forFingers) ? 96 : 88;
  const { place, measure, rows, rest } = useDrawnRows(ids, rowHeight);
  if (ids.length === 0)
    return <Card className="mt-3 px-4 py-8 text-center text-muted">No files selected for upload</Card>;
  return (
    <Card className="group/queue mt-3" data-stuck={stuck || undefined}>
      <ul ref={place} aria-label="Upload queue" style={{ paddingBottom: rest }}>
        {rows.map(({ index, gap }) => (
          <li
            key={ids[index]}
            ref={measure}
            data-index={index}
            aria-setsize={ids.length}
            aria-posinset={index + 1}
            className="border-b border-line last:border-0"
            style={{ marginTop: gap }}
          >
            <UploadRow id={ids[index] ?? 0} rules={rules} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const forFingers = '(max-width: 860px), (pointer: coarse)';
