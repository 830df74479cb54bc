import { clsx } from 'clsx';
import { RotateCw, X } from 'lucide-react';
import { memo } from 'react';
import { formatSize, formatTimeLeft, formatTransferSpeed } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type FileRules, fileWarning } from './check-files.ts';
import { focusAfter, places } from './focus-after.ts';
import { rowTexts } from './queue-texts.ts';
import { canRetry, mayBeStored, type QueueItem } from './queue.ts';
import { type Finished, itemOf, neighbors, secondsLeft } from './selectors.ts';
import { removeFiles, uploads } from './upload-queue-instance.ts';
import { useQueue } from './use-queue.ts';

export interface UploadRowProps {
  readonly id: number;
  readonly rules: FileRules;
}

/** Reads its own item, so that only the row of a changed item re-renders: a queue may hold thousands. */
export const UploadRow = memo(function UploadRow({ id, rules }: UploadRowProps) {
  const item = useQueue((queue) => itemOf(queue, id));
  if (!item) return null;
  const { file, status } = item;
  const name = shownName(file.name);
  return (
    <div className={look}>
      <div className="min-w-0">
        <div className="flex items-baseline justify-between gap-4">
          <span className="truncate" title={name}>
            <bdi>{name}</bdi>
          </span>
          <span className="figures shrink-0 text-s">{formatSize(file.size)}</span>
        </div>
        <UploadOutcome item={item} warning={status === 'pending' ? fileWarning(file, rules) : undefined} />
      </div>
      {/* If one row has two buttons, every row reserves the space, so that the sizes stay aligned. */}
      <div className="-mr-2 flex justify-end sm:group-data-stuck/queue:w-[calc(2*var(--control))]">
        {canRetry(item) && <RetryButton item={item} />}
        <DropButton item={item} />
      </div>
    </div>
  );
});

/**
 * A waiting row is as high as a finished one, whose link contains a control. So nothing moves under the pointer during
 * uploads, and a long queue needs no new layout after each file.
 */
const look =
  'grid min-h-[calc(51px+var(--control))] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3 sm:px-5';

interface UploadOutcomeProps {
  readonly item: QueueItem;
  readonly warning: string | undefined;
}

function UploadOutcome({ item, warning }: UploadOutcomeProps) {
  const { file, status } = item;
  if (status === 'success') return <UploadLink name={shownName(file.name)} url={item.url} />;
  if (status === 'error' || status === 'canceled') return <Ended item={item} />;
  return (
    <>
      {status === 'uploading' ? <Moving item={item} /> : <Waiting item={item} warning={warning} />}
      <div className="mt-2">
        <ProgressBar value={item.progress} label={`${shownName(file.name)} upload`} />
      </div>
    </>
  );
}

function UploadLink({ name, url }: Finished) {
  return (
    <div className="mt-1.5 flex items-center gap-2 rounded-[6px] bg-sunken pl-3">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="min-w-0 flex-1 truncate py-1.5 font-mono text-s text-sea hover:underline"
      >
        {url.replace(/^https?:\/\//, '')}
      </a>
      <CopyButton text={url} label={`Copy link of ${name}`} onCopied={tellCopied} />
    </div>
  );
}

function tellCopied(copied: boolean): void {
  if (copied) toast.success('Link copied to clipboard!');
  else toast.error('Failed to copy link');
}

const Ended = ({ item: { status, error, hint } }: Pick<UploadOutcomeProps, 'item'>) => (
  <>
    <p className={clsx('text-s', status === 'error' ? 'text-danger' : 'text-muted')}>{error}</p>
    {hint !== '' && <p className="text-s text-muted">{hint}</p>}
  </>
);

function Waiting({ item, warning }: UploadOutcomeProps) {
  if (mayBeStored(item)) return <p className="text-s text-muted">{rowTexts.waitingSent}</p>;
  if (warning !== undefined) return <p className="text-s text-buoy-ink">{warning}</p>;
  return <p className="text-s text-muted">{rowTexts.waiting}</p>;
}

function Moving({ item }: Pick<UploadOutcomeProps, 'item'>) {
  if (item.progress >= 1) return <p className="text-s text-muted">{rowTexts.processing}</p>;
  const left = secondsLeft(item);
  return (
    <p className="flex flex-wrap gap-x-4 figures text-s text-muted">
      <span>{Math.floor(item.progress * 100)}%</span>
      {item.stalled && <span>{rowTexts.stalled}</span>}
      {!item.stalled && item.speed !== undefined && <span>{formatTransferSpeed(item.speed)}</span>}
      {!item.stalled && left !== undefined && <span>{formatTimeLeft(left)}</span>}
    </p>
  );
}

function RetryButton({ item: { id, file } }: { readonly item: QueueItem }) {
  const retry = () => focusAfter(() => uploads.dispatch({ type: 'retry', id }), places.drop(id));
  return (
    <IconButton label={`Retry ${shownName(file.name)}`} onClick={retry}>
      <RotateCw />
    </IconButton>
  );
}

/** A running upload is canceled and kept in the list for a retry; any other file is removed from the list. */
function DropButton({ item: { id, file, status } }: { readonly item: QueueItem }) {
  const uploading = status === 'uploading';
  const drop = () => {
    if (uploading) return uploads.dispatch({ type: 'cancel', id });
    const next = neighbors(uploads.read(), id).map(places.drop);
    return focusAfter(() => removeFiles({ type: 'remove', id }), ...next, places.browse);
  };
  return (
    <IconButton
      id={places.drop(id)}
      label={`${uploading ? 'Cancel' : 'Remove'} ${shownName(file.name)}`}
      onClick={drop}
    >
      <X />
    </IconButton>
  );
}
