import { RotateCw, X } from 'lucide-react';
import { memo } from 'react';
import { formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { type FileRules, fileWarning } from './check-files.ts';
import { focusAfter, places } from './focus-after.ts';
import { canRetry, type QueueItem } from './queue.ts';
import { uploads } from './tab-uploads.ts';
import { UploadOutcome } from './UploadOutcome.tsx';
import { useQueue } from './use-queue.ts';
import { itemOf, neighbours } from './views.ts';

export interface UploadRowProps {
  readonly id: number;
  readonly rules: FileRules;
}

/** Looks its own item up, so that only the row whose item changed is drawn again: a queue may hold thousands. */
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
      {/* Where one row has two buttons, every row keeps the room: the sizes stay under each other. */}
      <div className="-mr-2 flex justify-end sm:group-data-stuck/queue:w-[calc(2*var(--control))]">
        {canRetry(item) && <RetryButton item={item} />}
        <DropButton item={item} />
      </div>
    </div>
  );
});

function RetryButton({ item: { id, file } }: { readonly item: QueueItem }) {
  const retry = () => focusAfter(() => uploads.dispatch({ type: 'retry', id }), places.drop(id));
  return (
    <IconButton label={`Retry ${shownName(file.name)}`} onClick={retry}>
      <RotateCw />
    </IconButton>
  );
}

/**
 * As high while the file waits as with its link, which has a control in it: nothing moves away from under the pointer
 * while the files above are sent, and a long queue is not laid out anew for each of them.
 */
const look =
  'grid min-h-[calc(51px+var(--control))] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3 sm:px-5';

/** A file on its way is canceled and stays, so that it can be tried again; any other leaves the list. */
function DropButton({ item: { id, file, status } }: { readonly item: QueueItem }) {
  const uploading = status === 'uploading';
  const drop = () => {
    if (uploading) return uploads.dispatch({ type: 'cancel', id });
    const next = neighbours(uploads.read(), id).map(places.drop);
    return focusAfter(() => uploads.dispatch({ type: 'remove', id }), ...next, places.browse);
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
