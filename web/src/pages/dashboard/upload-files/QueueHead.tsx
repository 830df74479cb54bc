import { Link } from '@tanstack/react-router';
import { formatCount, formatFiles, formatSize, formatTransferSpeed } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { textLink } from '../../../ui/text-link.ts';
import { CopyAllLinks } from './CopyAllLinks.tsx';
import { focusAfter, places } from './focus-after.ts';
import type { Queue } from './queue.ts';
import { batchTimeLeft, pauseOf, summaryOf } from './selectors.ts';
import { removeFiles, uploads } from './upload-queue-instance.ts';
import { TryNow } from './TryNow.tsx';
import { useQueue } from './use-queue.ts';

/** Stays in view above a long list: the progress of the batch, later its outcome, and what to do. */
export function QueueHead() {
  const running = useQueue((queue) => queue.running);
  return (
    <div className="sticky top-16 z-20 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-t-m border-b border-line bg-surface px-4 py-3 sm:px-5">
      {/* As high in every state, so that the list does not move. */}
      <div className="min-h-11 min-w-0 flex-1 basis-64">{running ? <Running /> : <Resting />}</div>
      <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:[&_svg]:hidden max-sm:has-[>:nth-child(4)]:grid max-sm:has-[>:nth-child(4)]:grid-cols-2">
        <PauseButton />
        <RetryAll />
        <CopyAllLinks />
        <Button className="max-sm:grow" onClick={() => focusAfter(() => removeFiles({ type: 'clear' }), places.browse)}>
          Remove
        </Button>
      </div>
    </div>
  );
}

function Running() {
  const position = useQueue((queue) => summaryOf(queue).place?.position ?? 0);
  const total = useQueue((queue) => summaryOf(queue).place?.total ?? 0);
  const progress = useQueue((queue) => summaryOf(queue).place?.progress ?? 0);
  const pause = useQueue(pauseOf);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-4">
        <span className="font-medium">
          <span className="figures">{formatCount(position)}</span> of{' '}
          <span className="figures">{formatCount(total)}</span>
        </span>
        {pause === 'offline' && <Offline />}
        {pause === 'paused' && <span className="text-s font-medium">Paused</span>}
        {pause !== 'offline' && pause !== 'paused' && <Pace />}
      </p>
      <div className="mt-2.5">
        <ProgressBar height="tall" value={progress} label="Progress of all uploads" />
      </div>
    </>
  );
}

/** The layout says already that there is no connection. */
const Offline = () => (
  <span className="text-s text-buoy-ink">
    <span className="font-medium">Paused.</span> Uploads continue when you reconnect. <TryNow />
  </span>
);

function Pace() {
  const percent = useQueue((queue) => Math.floor((summaryOf(queue).place?.progress ?? 0) * 100));
  const speed = useQueue(speedText);
  const left = useQueue(batchTimeLeft);
  return (
    <span className="flex flex-wrap gap-x-4 figures text-s text-muted">
      <span>{percent}%</span>
      {speed !== undefined && <span>{speed}</span>}
      {left !== undefined && <span>{left}</span>}
    </span>
  );
}

const speedText = ({ pace }: Queue): string | undefined =>
  pace?.speed === undefined ? undefined : formatTransferSpeed(pace.speed);

/** Files that wait for the button, or the outcome of the last batch. */
function Resting() {
  const ready = useQueue(readyText);
  const outcome = useQueue(outcomeText);
  const advice = useQueue(adviceText);
  const hasLinks = useQueue((queue) => summaryOf(queue).batch.success > 0);
  return (
    <>
      {ready !== undefined && (
        <>
          <p className="font-medium">{ready}</p>
          <p className="text-s text-muted">Press ‘Upload Files’ to start.</p>
        </>
      )}
      {ready === undefined && (
        <>
          <p className="font-medium">{outcome}</p>
          <p className="text-s text-muted">
            {advice}{' '}
            {hasLinks && (
              <Link to="/dashboard/file-management" className={textLink}>
                Open File Management
              </Link>
            )}
          </p>
        </>
      )}
    </>
  );
}

function readyText(queue: Queue): string | undefined {
  const { openFiles, openBytes } = summaryOf(queue);
  return openFiles === 0 ? undefined : `${formatFiles(openFiles)} ready, ${formatSize(openBytes)}`;
}

function outcomeText(queue: Queue): string {
  const { success, error, canceled } = summaryOf(queue).batch;
  return [
    `${formatCount(success)} uploaded`,
    error > 0 && `${formatCount(error)} failed`,
    canceled > 0 && `${formatCount(canceled)} canceled`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

function adviceText(queue: Queue): string {
  const { all, canRetry } = summaryOf(queue);
  const stuck = all.error + all.canceled;
  if (stuck === 0) return 'Every file has its link.';
  if (canRetry === 0) return 'The list says why. Trying again would not help.';
  return canRetry === stuck ? 'The list says why. You can retry.' : 'The list says why. You can retry some of them.';
}

function PauseButton() {
  const running = useQueue((queue) => queue.running);
  const paused = useQueue((queue) => queue.paused);
  if (!running) return null;
  return (
    <Button className="max-sm:grow" onClick={() => uploads.dispatch({ type: paused ? 'go-on' : 'pause' })}>
      {paused ? 'Continue' : 'Pause'}
    </Button>
  );
}

function RetryAll() {
  const some = useQueue((queue) => summaryOf(queue).canRetry > 0);
  if (!some) return null;
  return (
    <Button
      className="max-sm:grow"
      onClick={() => focusAfter(() => uploads.dispatch({ type: 'retry-all' }), places.start)}
    >
      Retry all
    </Button>
  );
}
