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
import { locationNotes } from './location-choice.ts';
import { rowTexts } from './queue-texts.ts';
import { canRetry, mayBeStored, type QueueItem } from './queue-item.ts';
import { itemOf, neighbors, secondsLeft } from './selectors.ts';
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
  const locationNote = locationNotes.get(file);
  return (
    <div className={look}>
      <div className="flex min-w-0 items-baseline gap-4 max-sm:col-span-full">
        <span className="truncate max-sm:line-clamp-2 max-sm:wrap-anywhere max-sm:whitespace-normal" title={name}>
          <bdi>{name}</bdi>
        </span>
        <span className="ml-auto figures shrink-0 text-s text-muted">{formatSize(file.size)}</span>
      </div>
      <div className="flex min-w-0 items-center justify-between gap-4 text-s">
        <div className="min-w-0">
          <UploadOutcome item={item} warning={status === 'pending' ? fileWarning(file, rules) : undefined} />
        </div>
        {locationNote !== undefined && <span className="shrink-0 text-muted">{locationNote}</span>}
      </div>
      {/* Every row has the space of two buttons, so that the sizes stay aligned. */}
      <div className="-mr-2 flex w-[calc(2*var(--control))] justify-end">
        {status === 'success' && <CopyButton text={item.url} label={`Copy link of ${name}`} onCopied={tellCopied} />}
        {canRetry(item) && <RetryButton item={item} />}
        <DropButton item={item} />
      </div>
      {(status === 'pending' || status === 'uploading') && (
        <div className="absolute inset-x-0 -bottom-px">
          <ProgressBar height="hairline" value={item.progress} label={`${name} upload`} />
        </div>
      )}
    </div>
  );
});

/** A row keeps its height, so that nothing moves under the pointer during uploads; only a long reason adds lines. */
const look =
  'relative grid min-h-[76px] grid-cols-[minmax(0,1fr)_auto] items-center content-center gap-x-4 px-4 pt-2.5 pb-0.5 sm:min-h-14 sm:grid-cols-[minmax(0,6fr)_minmax(0,5fr)_auto] sm:px-5 sm:py-2';

interface UploadOutcomeProps {
  readonly item: QueueItem;
  readonly warning: string | undefined;
}

function UploadOutcome({ item, warning }: UploadOutcomeProps) {
  switch (item.status) {
    case 'success':
      return <UploadLink url={item.url} />;
    case 'error':
    case 'canceled':
      return <Ended item={item} />;
    case 'uploading':
      return <Moving item={item} />;
    case 'pending':
      return <Waiting item={item} warning={warning} />;
  }
}

function UploadLink({ url }: { readonly url: string }) {
  const { host, pathname } = new URL(url);
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="block truncate py-1.5 font-mono text-sea hover:underline touch:py-3"
    >
      <span className="max-sm:hidden">{host}</span>
      {pathname}
    </a>
  );
}

function tellCopied(copied: boolean): void {
  if (copied) toast.success('Link copied to clipboard!');
  else toast.error('Failed to copy link');
}

const Ended = ({ item: { status, error, hint } }: Pick<UploadOutcomeProps, 'item'>) => (
  <>
    <p className={status === 'error' ? 'text-danger' : 'text-muted'}>{error}</p>
    {hint !== '' && <p className="text-muted">{hint}</p>}
  </>
);

function Waiting({ item, warning }: UploadOutcomeProps) {
  const isInBatch = useQueue((queue) => queue.running && item.batch === queue.batch);
  if (mayBeStored(item)) return <p className="text-muted">{rowTexts.waitingSent}</p>;
  if (warning !== undefined) return <p className="text-buoy-ink">{warning}</p>;
  if (item.progress > 0) return <p className="figures text-muted">{`${percentOf(item)} sent. ${rowTexts.waiting}`}</p>;
  return <p className="text-muted">{isInBatch ? rowTexts.waiting : rowTexts.ready}</p>;
}

const percentOf = ({ progress }: QueueItem): string => `${Math.floor(progress * 100)}%`;

function Moving({ item }: Pick<UploadOutcomeProps, 'item'>) {
  if (item.progress >= 1) return <p className="text-muted">{rowTexts.processing}</p>;
  const left = secondsLeft(item);
  return (
    <p className="flex flex-wrap gap-x-4 figures text-muted">
      <span>{percentOf(item)}</span>
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
